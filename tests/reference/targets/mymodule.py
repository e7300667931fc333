# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: the module `mymodule` of the reference's examples."""


def myfunc(value, other=None):
    return helper(value)


def helper(value):
    return value * 2


class Thing:
    def method(self, n):
        return n


def numbers():
    yield 1

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: a service that does one round of work for each line on standard input."""

import contextlib
import os
import sys

import mymodule


@contextlib.contextmanager
def scope():
    yield


def g(loops):
    total = 0
    for i in range(loops):
        total += i
    return total


def one_round():
    with scope():
        for value in (3, 17, 5):
            mymodule.myfunc(value, other="o")
        mymodule.Thing().method(1)
        list(mymodule.numbers())
        g(100000)


def main():
    os.write(1, b"ready\n")
    while os.read(0, 4096).strip() == b"round":
        one_round()
        os.write(1, b"round done\n")


main()

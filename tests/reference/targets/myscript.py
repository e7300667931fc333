# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: the script of the reference's execution-flow example; ends by an exception."""

import sys


def g(n):
    if n == 7:
        raise KeyboardInterrupt
    return n


def f(first, last):
    for n in (first, first, last):
        g(n)


def main():
    f(int(sys.argv[1]), int(sys.argv[2]))


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)

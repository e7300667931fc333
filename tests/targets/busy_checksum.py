# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: a busy single thread that does checkable work and answers on standard input.

Lines understood: `checksum` (print it), anything else or the end of input (stop).
"""

import select
import sys

from arithmetic import Work


def step(work):
    work.step()


def main():
    work = Work()
    print("ready", flush=True)
    while True:
        for _ in range(200):
            step(work)
        if select.select([0], [], [], 0)[0]:
            if sys.stdin.readline().strip() != "checksum":
                return
            work.report()


main()

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: a busy single thread that does checkable work and answers on standard input.

Lines understood: `checksum` (print it), `blocks` (print how many blocks of memory the interpreter has in
use), anything else or the end of input (stop).
"""

import gc
import select
import sys

from arithmetic import Work


def say_blocks():
    gc.collect()
    print("blocks", sys.getallocatedblocks(), flush=True)


def step(work):
    work.step()


def main():
    work = Work()
    answers = {"checksum": work.report, "blocks": say_blocks}
    print("ready", flush=True)
    while True:
        for _ in range(200):
            step(work)
        if select.select([0], [], [], 0)[0]:
            line = sys.stdin.readline().strip()
            if line not in answers:
                return
            answers[line]()


main()

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: the main thread is in the state named by the first argument, for good.

loop: pure Python that calls nothing. calls: one short system call after the other. sleep, lock, input,
select: blocked there. gil: five seconds in a C function that keeps the GIL, then blocked in a read.
"""

import ctypes
import os
import select
import sys
import threading
import time


def loop():
    i = 0
    while True:
        i += 1


def calls():
    while True:
        select.select([], [], [], 0)


def gil():
    ctypes.PyDLL(None).sleep(5)
    os.write(1, b"over\n")
    os.read(0, 4096)


def lock():
    held = threading.Lock()
    held.acquire()
    held.acquire()


situations = {
    "loop": loop,
    "calls": calls,
    "sleep": lambda: time.sleep(3600),
    "lock": lock,
    "input": input,
    "select": lambda: select.select([], [], []),
    "gil": gil,
}

os.write(1, b"ready\n")
situations[sys.argv[1]]()

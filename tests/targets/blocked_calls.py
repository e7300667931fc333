# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: the main thread is in the blocking call named by the first argument, and says what it came to.

Calls of C are made directly, so that an interruption which Python would hide (PEP 475) is seen. Those with a
time limit take half a second; the others end when the program's standard input does.
Prints `result VALUE ERRNO EARLY`, where EARLY is 1 if the call ended before its time.
"""

import ctypes
import os
import select
import socket
import sys
import threading
import time

LIMIT = 0.5
libc = ctypes.CDLL(None, use_errno=True)


class Timespec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


def epoll_on_input():
    number = libc.epoll_create1(0)
    event = ctypes.create_string_buffer(bytes([1, 0, 0, 0]) + bytes(8))  # EPOLLIN
    libc.epoll_ctl(number, 1, 0, event)
    return libc.epoll_wait(number, ctypes.create_string_buffer(12), 1, -1)


def semaphore():
    memory = ctypes.create_string_buffer(64)
    libc.sem_init(memory, 0, 0)
    until = time.time() + LIMIT
    return libc.sem_timedwait(memory, ctypes.byref(Timespec(int(until), int(until % 1 * 1e9))))


def locked():
    lock = threading.Lock()
    lock.acquire()
    return int(lock.acquire(timeout=LIMIT))


def receive():
    one, _other = socket.socketpair()
    one.settimeout(LIMIT)
    try:
        return len(one.recv(1))
    except socket.timeout:
        return -1


limited = {
    "c-nanosleep": lambda: libc.nanosleep(ctypes.byref(Timespec(0, int(LIMIT * 1e9))), None),
    "c-poll": lambda: libc.poll(None, 0, int(LIMIT * 1000)),
    "c-select": lambda: libc.select(0, None, None, None, ctypes.byref(Timespec(0, int(LIMIT * 1e6)))),
    "c-sem_timedwait": semaphore,
    "sleep": lambda: time.sleep(LIMIT) or 0,
    "lock": locked,
    "select": lambda: len(select.select([], [], [], LIMIT)[0]),
    "epoll": lambda: len(select.epoll().poll(LIMIT)),
    "recv": receive,
    "condition": lambda: int(threading.Event().wait(LIMIT)),
}
endless = {
    "c-read": lambda: libc.read(0, ctypes.create_string_buffer(1), 1),
    "c-poll-input": lambda: libc.poll(ctypes.create_string_buffer(bytes([0, 0, 0, 0, 1, 0, 0, 0])), 1, -1),
    "c-epoll-input": epoll_on_input,
    "input": lambda: len(input()),
}

name = sys.argv[1]
os.write(1, b"ready\n")
began = time.monotonic()
value = {**limited, **endless}[name]()
early = name in limited and time.monotonic() - began < LIMIT * 0.99
os.write(1, b"result %d %d %d\n" % (value, ctypes.get_errno(), early))
if name in ("c-poll-input", "c-epoll-input"):
    os.read(0, 1)  # the line that was only seen, so that the next one is what ends the program
os.read(0, 1)

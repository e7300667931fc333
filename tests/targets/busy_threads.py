# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: N threads (argument, default 4) call `work(n)` for ever; the main thread waits in readline."""

import sys
import threading

stop = threading.Event()


def work(n):
    return n * n + 1


def run(n):
    while not stop.is_set():
        work(n)
        stop.wait(0.001)


threads = [threading.Thread(target=run, args=(n,), daemon=True) for n in range(int(sys.argv[1:2][0] if sys.argv[1:] else 4))]
for thread in threads:
    thread.start()
print("ready", flush=True)
sys.stdin.readline()
stop.set()
for thread in threads:
    thread.join()

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: a program that times blocks of calls by itself, on request.

Reads `time FUNCTION CALLS` from standard input and prints `ns NANOSECONDS_PER_CALL`, the median of
seven blocks. Between requests it waits in read(2). The loop's own cost is the same with and without
probes, so it falls out of every difference.
"""

import os
import time


def f(x):
    return x


def other(x):
    return x


def block(function, calls):
    x = 5
    start = time.perf_counter_ns()
    for _ in range(calls):
        function(x)
    return (time.perf_counter_ns() - start) / calls


def main():
    functions = {"f": f, "other": other}
    os.write(1, b"ready\n")
    while True:
        words = os.read(0, 4096).decode().split()
        if not words or words[0] != "time":
            return
        function, calls = functions[words[1]], int(words[2])
        block(function, max(1, calls // 10))  # lets the interpreter specialise, and the probes arm
        blocks = sorted(block(function, calls // 7) for _ in range(7))
        os.write(1, b"ns %.3f\n" % blocks[3])


main()

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Attaching and detaching: latency, how long threads are stopped, and what a thousand times leave behind."""

import re
import statistics
import time

from measure import Result

TARGETS = ["busy_checksum.py", "busy_threads.py"]
PROGRAM = 'pymontrace::BEGIN {{ print("live") }}'


def one_cycle(bench, target):
    """Milliseconds to the first BEGIN output and from CTRL-C to the end; microseconds of stopping."""
    started = time.perf_counter()
    session = bench.session("-v", "-p", target.pid, "-e", PROGRAM)
    session.stdout.wait_for("^live$")
    live = time.perf_counter()
    session.stderr.wait_for("Probes installed")
    asked = time.perf_counter()
    outcome = session.interrupt()
    ended = time.perf_counter()
    assert outcome.status == 0, outcome.said()
    stopped = re.search(r"held for (\d+) us", outcome.stderr)
    return (live - started) * 1e3, (ended - asked) * 1e3, int(stopped.group(1)) if stopped else None


def measure(bench, interpreter, rounds):
    for script in TARGETS:
        target = bench.target(interpreter, script)
        cycles = [one_cycle(bench, target) for _ in range(4 * rounds)]
        situation = script.removesuffix(".py").replace("_", " ")
        for name, values, limit, unit in (("attach to first output", [one[0] for one in cycles], 50, "ms"),
                                          ("detach", [one[1] for one in cycles], 50, "ms"),
                                          ("longest stop of a thread", [one[2] for one in cycles if one[2]], 2000, "us")):
            if values:
                middle = max(values) if unit == "us" else statistics.median(values)
                yield Result("attach", f"{name}, {situation}", interpreter.id, middle, unit, limit, values)
        bench.finish(target)


def measure_growth(bench, interpreter, cycles):
    """Attaches and detaches in a row; compares the target after the first fiftieth with the end."""
    target = bench.target(interpreter, "busy_checksum.py")
    settled = {}
    for cycle in range(cycles):
        one_cycle(bench, target)
        if cycle == min(50, cycles // 2) - 1:
            settled = {"resident": target.resident_bytes(), "descriptors": len(target.descriptors()),
                       "threads": len(target.threads()), "mappings": len(target.mappings())}
    target.verify_checksum()
    # A page or two move with the program's own work; a leak of one page a cycle would be thousands.
    yield Result("growth", f"resident memory, {cycles} cycles", interpreter.id,
                 (target.resident_bytes() - settled["resident"]) / 1024, "KiB", 128)
    for name, now in (("descriptors", len(target.descriptors())), ("threads", len(target.threads())),
                      ("mappings", len(target.mappings()))):
        yield Result("growth", f"{name}, {cycles} cycles", interpreter.id, now - settled[name], "", 0)
    bench.finish(target)

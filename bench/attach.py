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
        stops = [one[2] for one in cycles if one[2]]  # the longest of each session; none with remote debugging
        for name, values, limit, unit in (("attach to first output", [one[0] for one in cycles], 50, "ms"),
                                          ("detach", [one[1] for one in cycles], 50, "ms"),
                                          ("longest stop of a thread", stops, 2000, "us")):
            if values:
                yield Result("attach", f"{name}, {situation}", interpreter.id, statistics.median(values), unit, limit,
                             values)
        if stops:  # on a shared machine the stopping side itself may be kept waiting
            yield Result("attach", f"the same, worst of {len(stops)}", interpreter.id, max(stops), "us")
        bench.finish(target)


def footprint(target):
    return {"blocks of the interpreter": target.allocated_blocks(), "resident memory": target.resident_bytes() / 1024,
            "descriptors": len(target.descriptors()), "threads": len(target.threads()),
            "mappings": len(target.mappings())}


def trend(samples):
    """Growth from first to last by the median of all slopes (Theil and Sen): a step once is none, a leak is.

    CPython makes one such step by itself: entries of its table of interned strings are used up by strings that
    come and go, until it is rebuilt once at twice the size (Objects/dictobject.c, GROWTH_RATE).
    """
    slopes = [(later - earlier) / (j - i) for i, earlier in enumerate(samples)
              for j, later in enumerate(samples[i + 1:], i + 1)]
    return statistics.median(slopes) * (len(samples) - 1)


def measure_growth(bench, interpreter, cycles):
    """Attaches and detaches in a row, and looks at the target from the fiftieth cycle on."""
    target = bench.target(interpreter, "busy_checksum.py")
    samples = []
    for cycle in range(1, cycles + 1):
        one_cycle(bench, target)
        if cycle >= min(50, cycles // 2) and cycle % 10 == 0:
            samples.append(footprint(target))
    target.verify_checksum()
    limits = {"blocks of the interpreter": 8, "resident memory": 64}
    for name in samples[0]:
        values = [sample[name] for sample in samples]
        unit = "KiB" if name == "resident memory" else ""
        yield Result("growth", f"{name}, trend over {cycles} cycles", interpreter.id, trend(values), unit,
                     limits.get(name, 0), values)
        yield Result("growth", f"{name}, last - first", interpreter.id, values[-1] - values[0], unit)
    bench.finish(target)

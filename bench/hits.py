# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Added nanoseconds for one probe hit, and what functions cost that no probe names.

Each round measures the same loop without and with a session, one right after the other, so that a
slow moment of the machine hits both. The result is the median over the rounds.
"""

import pathlib
import statistics

from measure import Result

TARGET = pathlib.Path(__file__).parent / "targets/hits.py"

# name, program, calls that are timed, limit in ns (CPython 3.13+)
CASES = [
    ("empty action", "func:__main__.f:start {{ pass }}", 200_000, 150),
    ("maps.calls[qualname()] = agg.count()", "func:__main__.f:start {{ maps.calls[qualname()] = agg.count() }}",
     200_000, 300),
    ("vars.s = agg.sum(ctx.x)", "func:__main__.f:start {{ vars.s = agg.sum(ctx.x) }}", 100_000, None),
    ("maps.q[ctx.x] = agg.quantize(ctx.x)", "func:__main__.f:start {{ maps.q[ctx.x] = agg.quantize(ctx.x) }}",
     100_000, None),
    ("start + return, agg.quantize(elapsed())",
     "func:__main__.f:return {{ maps.t[1] = agg.quantize(elapsed()) }}", 100_000, None),
    ("predicate that is false", "func:__main__.f:start / ctx.x == 7 / {{ pass }}", 200_000, None),
    ('print("->", funcname(), args())', 'func:__main__.f:start {{ print("->", funcname(), args()) }}', 30_000, None),
]
UNPROBED = "func:__main__.other:start {{ vars.n = agg.count() }}"


def timed(target, function, calls):
    target.send(f"time {function} {calls}")
    return float(target.stdout.wait_for("^ns ").split()[1])


def with_session(bench, target, program, function, calls):
    session = bench.session("-p", target.pid, "-e", program, "-o", "/dev/null").wait_installed()
    value = timed(target, function, calls)
    bench.end(session)
    return value


def measure(bench, interpreter, rounds):
    target = bench.target(interpreter, TARGET)
    for name, program, calls, limit in CASES:
        added = []
        for _ in range(rounds):
            before = timed(target, "f", 300_000)
            added.append(with_session(bench, target, program, "f", calls) - before)
        yield Result("hit", name, interpreter.id, statistics.median(added), "ns",
                     limit if interpreter.minor >= (3, 13) else None, added)

    # Noise is larger than one per cent of a call, so this one takes more and longer rounds.
    ratios = []
    for _ in range(3 * rounds):
        before = timed(target, "f", 2_000_000)
        ratios.append(with_session(bench, target, UNPROBED, "f", 2_000_000) / before)
    yield Result("unprobed", "function that no probe names", interpreter.id, statistics.median(ratios), "x",
                 1.01 if interpreter.minor >= (3, 12) else None, ratios)
    bench.finish(target)

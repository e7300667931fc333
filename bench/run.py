# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""run.py [--json FILE] [--pythons "3.13 3.14"] [--rounds N] [--cycles N]: the project's benchmark.

Prints a table and writes JSON with every sample. Status 1 if a value is over its limit, so that a
regression is seen; the limits are those of the specification and are compared within one run.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import platform
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

import attach  # noqa: E402
import hits  # noqa: E402
from measure import Bench  # noqa: E402
from support.interpreters import primary_interpreters  # noqa: E402


def measure_all(options, bench):
    wanted = options.pythons.split()
    interpreters = [one for one in primary_interpreters() if one.id in wanted]
    for interpreter in interpreters:
        yield from attach.measure(bench, interpreter, options.rounds)
        yield from hits.measure(bench, interpreter, options.rounds)
    if interpreters and options.cycles:
        yield from attach.measure_growth(bench, interpreters[-1], options.cycles)


def print_table(results):
    rows = [("python", "what", "median", "limit", ""), *(one.row() for one in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        print(f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}  {row[4]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--pythons", default=os.environ.get("SPYGLASS_PYTHONS", "3.11 3.12 3.13 3.14 3.15"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cycles", type=int, default=1000)
    options = parser.parse_args()
    bench = Bench()
    try:
        results = list(measure_all(options, bench))
    finally:
        bench.close()
    print_table(results)
    if options.json:
        options.json.write_text(json.dumps({"machine": platform.processor() or platform.machine(),
                                            "kernel": platform.release(),
                                            "results": [{**dataclasses.asdict(one), "holds": one.holds}
                                                        for one in results]}, indent=1))
        print(f"\nwritten to {options.json}")
    return 0 if all(one.holds for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())

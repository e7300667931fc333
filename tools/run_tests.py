# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""run_tests.py [unit] [integration] [-- PYTEST ARGUMENTS]

Runs the unit tests (ctest) and the integration tests (pytest), says which interpreters ran and why
tests were skipped, and ends with one line `N passed, N failed, N skipped` over both. Its status is 0
only if nothing failed and CPython 3.12+ and 3.14+ were among the interpreters.
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections import Counter

TREE = pathlib.Path(__file__).resolve().parent.parent
BUILD = (TREE / os.environ.get("SPYGLASS_BUILD", "build")).resolve()
RESULTS = BUILD / "test-results"


def read_junit(path):
    """(passed, failed, Counter of skip reasons) of one JUnit file; ctest and pytest both write them."""
    passed, failed, skipped = 0, 0, Counter()
    for case in xml.parse(path).iter("testcase"):
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
            failed += 1
        elif skip is not None or case.get("status") in ("notrun", "disabled"):
            skipped[(skip.get("message") if skip is not None else "") or "not run"] += 1
        else:
            passed += 1
    return passed, failed, skipped


def run_unit():
    path = RESULTS / "unit.xml"
    path.unlink(missing_ok=True)
    status = subprocess.run(["ctest", "--test-dir", str(BUILD), "--output-on-failure", "--no-tests=error",
                             "--timeout", "300", "--output-junit", str(path)], check=False).returncode
    return status, path


def run_integration(arguments):
    path = RESULTS / "integration.xml"
    path.unlink(missing_ok=True)
    # Most tests wait for a process most of the time, so two at once cost little even on one processor.
    jobs = os.environ.get("SPYGLASS_TEST_JOBS", "2")
    parallel = ["-n", jobs] if importlib.util.find_spec("xdist") and jobs != "1" else []
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={path}", *parallel, *arguments]
    status = subprocess.run(command, cwd=TREE / "tests", check=False).returncode
    return status, path


def prepare_interpreters():
    done = subprocess.run([str(TREE / "tests/interpreters/prepare.sh")], stdout=subprocess.PIPE, text=True,
                          check=False, env={**os.environ, "PYTHON": sys.executable})
    if done.returncode != 0:
        return []
    interpreters = json.loads(done.stdout)
    print("Interpreters:")
    for one in selected(interpreters):
        print(f"  {one['version']:10}{'' if one['primary'] else '(attach tests only) '}{' '.join(one['argv'])}")
    return interpreters


def selected(interpreters):
    """Those that a developer asked for with SPYGLASS_PYTHONS="3.11 3.14", else all."""
    only = os.environ.get("SPYGLASS_PYTHONS", "").split()
    return [one for one in interpreters if not only or one["id"] in only]


def missing_versions(interpreters):
    minors = [tuple(map(int, one["id"].split("."))) for one in interpreters]
    for least in ((3, 12), (3, 14)):
        if not any(minor >= least for minor in minors):
            yield f"no CPython {least[0]}.{least[1]} or later could be had"


def main(arguments):
    kinds, pytest_arguments = arguments, []
    if "--" in arguments:
        at = arguments.index("--")
        kinds, pytest_arguments = arguments[:at], arguments[at + 1:]
    RESULTS.mkdir(parents=True, exist_ok=True)
    sys.stdout.reconfigure(line_buffering=True)

    complaints, interpreters = [], []
    if "integration" in kinds:
        interpreters = prepare_interpreters()
        complaints += missing_versions(interpreters)

    passed, failed, skipped = 0, 0, Counter()
    for kind in kinds:
        status, path = run_unit() if kind == "unit" else run_integration(pytest_arguments)
        if not path.exists():
            complaints.append(f"the {kind} tests ended with status {status} and without a result file")
            continue
        some_passed, some_failed, some_skipped = read_junit(path)
        passed, failed, skipped = passed + some_passed, failed + some_failed, skipped + some_skipped
        if status != 0 and some_failed == 0:
            complaints.append(f"the {kind} tests ended with status {status}")

    print()
    if interpreters:
        print("Interpreters that ran:", ", ".join(one["version"] for one in selected(interpreters)))
    if skipped:
        print("Skipped:")
        for reason, count in sorted(skipped.items()):
            print(f"  {count:5}  {reason}")
    for complaint in complaints:
        print("FAILED:", complaint)
    failed += len(complaints)
    print(f"{passed} passed, {failed} failed, {sum(skipped.values())} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs one case of a .case file on one interpreter, attached or launched, and checks what it expects.

In a TARGET the line `ready()` is where the program waits until the probes are live, and `done()` is
where it waits until the session was ended with CTRL-C. Both become plain code on the same line, so
line numbers stay what they are, and neither runs a Python function.
"""

import shlex

from support.case_file import choose, compare, contains_in_order
from support.session import INSTALLED

WAIT = '__import__("os").write(1, b"{}\\n") and __import__("os").read(0, 4096)'


def prepare_source(lines, mode):
    source = []
    for line in lines:
        bare = line.strip()
        if bare in ("ready()", "done()"):
            indent = line[: len(line) - len(line.lstrip())]
            line = indent + ("pass" if mode == "launch" else WAIT.format(bare[:-2]))
        source.append(line)
    return "\n".join(source) + "\n"


def fill(text, path):
    return text.replace("$TARGET", str(path)).replace("$DIR", str(path.parent)).replace("$NAME", path.name)


def run_case(case, mode, interpreter, start_target, spyglass, write_program):
    path = write_program(prepare_source(case.target, mode))
    args = [fill(arg, path) for arg in case.args]
    if case.program is not None and "-f" not in args:
        args += ["-e", fill("\n".join(case.program), path)]
    stdin = fill("\n".join(case.program), path) if case.program is not None and "-f" in args else None

    if mode == "launch":
        session = spyglass("--python", f"{interpreter.path_folder()}/python3", "-c", shlex.quote(str(path)), *args,
                           stdin=stdin)
        outcome = session.wait()
        target = None
    else:
        target = start_target(interpreter, path)
        session = spyglass("-p", target.pid, *args, stdin=stdin)
        outcome = drive(case, target, session)

    minor = interpreter.minor
    problems = []
    if outcome.status != case.status:
        problems.append(f"exit status {outcome.status}, expected {case.status}")
    check(problems, "standard output", compare, choose(case.expect, minor), outcome.stdout, path)
    check(problems, "standard error", contains_in_order, choose(case.errors, minor), outcome.stderr, path)
    for pattern in case.not_errors:
        if contains_in_order(["re:" + pattern], outcome.stderr.splitlines()) is None:
            problems.append(f"standard error has a line like {pattern!r}")
    if not case.errors and "Probe action failed" in outcome.stderr:
        problems.append("an action failed")
    if target is not None:
        said = "\n".join(line for line in target.stdout.lines() if line not in ("ready", "done"))
        check(problems, "the target's output", compare, choose(case.says, minor), said, path)
    assert not problems, "; ".join(problems) + f"\n{outcome.said()}"


def drive(case, target, session):
    """Lets the target go once the probes are live; a session that ends by itself is waited for."""
    ends_by_itself = any("exit()" in line for line in case.program or [])
    installed = session.stderr.wait_for(INSTALLED, or_end=True)
    target.send()
    if installed and not ends_by_itself and any(line.strip() == "done()" for line in case.target):
        target.stdout.wait_for("^done$")
        outcome = session.interrupt()
        target.send()
    else:
        outcome = session.wait()
        if any(line.strip() == "done()" for line in case.target):
            target.stdout.wait_for("^done$")
            target.send()
    target.expect_clean_end()
    return outcome


def check(problems, what, comparison, expected, actual, path):
    if expected is not None:
        wrong = comparison([fill(line, path) for line in expected], actual.splitlines())
        if wrong:
            problems.append(f"{what}: {wrong}")

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Command lines: help ends with 0 on standard output, a mistake with 2 on standard error and the way on."""

import json
import os

import pytest

COMMANDS = {"ps": "--format", "doctor": "--format", "config check": "--explain"}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_of_a_command(run_spyglass, command, flag):
    outcome = run_spyglass(*command.split(), flag)
    assert outcome.status == 0 and outcome.stderr == "", outcome.said()
    assert f"spyglass {command}" in outcome.stdout and COMMANDS[command] in outcome.stdout


@pytest.mark.parametrize("arguments, said", [
    (["ps", "--colour"], "--colour"),
    (["ps", "--format", "xml"], "xml"),
    (["ps", "1"], "1"),
    (["doctor"], "-p is required"),
    (["doctor", "-p"], "-p"),
    (["doctor", "-p", "me"], "me"),
    (["doctor", "-p", "12x"], "12x"),
    (["doctor", "-p", "-3"], "-3"),
    (["doctor", "-p", "99999999999999999999"], "99999999999999999999"),
    (["doctor", "-p", "1", "--format", "yaml"], "yaml"),
    (["config"], "subcommand"),
    (["config", "chek", "x"], "chek"),
    (["config", "check"], "FILE"),
    (["config", "check", "a", "b"], "b"),
])
def test_mistakes(run_spyglass, arguments, said):
    outcome = run_spyglass(*arguments)
    assert outcome.status == 2 and outcome.stdout == "", outcome.said()
    assert outcome.stderr.startswith(f"spyglass {arguments[0]}: error: ") and said in outcome.stderr, outcome.said()
    assert f"spyglass {arguments[0]} -h" in outcome.stderr


@pytest.mark.parametrize("path, said", [("/", "Is a directory"), ("missing.spy", "No such file or directory")])
def test_a_program_that_cannot_be_read(run_spyglass, path, said):
    outcome = run_spyglass("-c", "never_started.py", "-f", path)
    assert outcome.status == 2 and outcome.stdout == "", outcome.said()
    assert outcome.stderr.startswith(f"spyglass: read {path}: {said}"), outcome.said()


def test_every_command_is_listed(run_spyglass):
    outcome = run_spyglass("help")
    assert outcome.status == 0
    for command in ["trace", "ps", "doctor", "config"]:
        assert f"\n  {command} " in outcome.stdout


def test_ps_and_doctor_as_json(interpreter, start_target, run_spyglass):
    target = start_target(interpreter, "situations.py", "sleep")
    lines = [json.loads(line) for line in run_spyglass("ps", "--format", "json").stdout.splitlines()]
    mine = [line for line in lines if line["pid"] == target.pid]
    assert len(mine) == 1 and mine[0]["attachable"] and mine[0]["threads"] == 1, mine
    assert mine[0]["version"].startswith(interpreter.id + "."), mine
    checks = run_spyglass("doctor", "-p", target.pid, "--format", "json")
    assert checks.status == 0 and all(json.loads(line)["passed"] for line in checks.stdout.splitlines())
    nobody = run_spyglass("doctor", "-p", os.getpid(), "--format", "text")
    assert "[ok]" in nobody.stdout


def test_the_way_in_is_said(interpreter, start_target, run_spyglass):
    # -v: which strategy was taken, and why those before it were not.
    begin = ("-v", "-e", "pymontrace::BEGIN {{ exit() }}")
    remote = interpreter.minor >= (3, 14)
    busy = start_target(interpreter, "situations.py", "loop")
    said = run_spyglass("-p", busy.pid, *begin).stderr
    assert f"attached by {'remote-debug' if remote else 'pending-call'}, " in said, said
    assert remote or "blocked-thread: " in said, said
    asleep = start_target(interpreter, "situations.py", "sleep")
    asleep.wait_until_asleep()
    said = run_spyglass("-p", asleep.pid, *begin).stderr
    assert "attached by blocked-thread, " in said and "remote-debug: " in said, said

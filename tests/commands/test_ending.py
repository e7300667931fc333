# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""How a session is ended from outside."""

import signal

import pytest

PROGRAM = 'pymontrace::END {{ print("bye") }}'
IGNORING = ("/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh")  # as a shell starts a job with `&`


def but_waiting(lines):
    """Without what is said when a busy target, or machine, takes its time."""
    return [line for line in lines if not line.startswith("Waiting for process ")]


def test_what_end_prints_comes_after_the_probes_were_live(start_target, interpreter, spyglass):
    target = start_target(interpreter, "busy_checksum.py")
    for _ in range(10):
        outcome = spyglass("-p", target.pid, "-e", """
            pymontrace::BEGIN {{ import sys; vars.errors = sys.stderr }}
            func:__main__.step:start {{ exit() }}
            pymontrace::END {{ print("bye", file=vars.errors) }}""").wait()
        assert but_waiting(outcome.stderr.splitlines()) == ["Probes installed. Hit CTRL-C to end...", "bye"]
    target.finish("stop")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it(interpreter, start_target, spyglass, number):
    target = start_target(interpreter, "busy_checksum.py")
    session = spyglass("-p", target.pid, "-e", PROGRAM).wait_installed()
    session.signal(number)
    outcome = session.wait()
    assert outcome.status == 0 and outcome.stdout == "bye\n", outcome.said()
    assert "Removing probes..." in outcome.stderr
    target.finish("stop")


def test_an_exit_at_the_first_hit_comes_after_the_probes_were_live(interpreter, start_target, spyglass):
    target = start_target(interpreter, "busy_checksum.py")
    for _ in range(10):
        outcome = spyglass("-p", target.pid, "-e", "func:__main__.step:start {{ exit() }}").wait()
        assert outcome.status == 0 and "Probes installed." in outcome.stderr, outcome.said()
    outcome = spyglass("-p", target.pid, "-e", "pymontrace::BEGIN {{ exit() }}").wait()
    assert outcome.status == 0 and "Probes installed." not in outcome.stderr, outcome.said()
    target.finish("stop")


def test_what_begin_prints_comes_before_the_probes_are_live(interpreter, start_target, spyglass):
    target = start_target(interpreter, "busy_checksum.py")
    session = spyglass("-p", target.pid, "-e",
                       "pymontrace::BEGIN {{ import sys; print('begin', file=sys.stderr) }}").wait_installed()
    assert but_waiting(session.stderr.lines())[0] == "begin"
    assert session.interrupt().status == 0
    target.finish("stop")


def test_no_hit_is_shown_before_the_probes_are_live(interpreter, start_target, spyglass):
    target = start_target(interpreter, "busy_checksum.py")
    for _ in range(10):
        outcome = spyglass("-p", target.pid, "-e", """
            pymontrace::BEGIN {{ import sys; vars.errors = sys.stderr }}
            func:__main__.step:start {{ print("hit", file=vars.errors); exit() }}""").wait()
        assert but_waiting(outcome.stderr.splitlines()) == ["Probes installed. Hit CTRL-C to end...", "hit"]
    target.finish("stop")


def test_a_job_in_the_background_can_be_interrupted(interpreter, start_target, spyglass):
    target = start_target(interpreter, "busy_checksum.py")
    outcome = spyglass("-p", target.pid, "-e", PROGRAM, prefix=IGNORING).wait_installed().interrupt()
    assert outcome.status == 0 and outcome.stdout == "bye\n", outcome.said()


def test_a_started_program_ignores_what_it_would_ignore(interpreter, write_program, spyglass):
    script = write_program("import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)\n")
    for prefix, said in ((IGNORING, "True\n"), ((), "False\n")):
        outcome = spyglass("-e", PROGRAM, "--", *interpreter.argv, script, prefix=prefix).wait()
        assert outcome.status == 0 and outcome.stdout.endswith(said + "bye\n"), outcome.said()

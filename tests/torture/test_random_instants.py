# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""The attacher's failure paths: something dies, stops or becomes another program at a random instant.

Each interpreter gets its share of at least 200 instants a run. The seed is printed; SPYGLASS_SEED repeats it.
The delays are the instants themselves: nothing is waited for by them.
"""

import os
import random
import re
import signal
import time

import pytest

from support.lines import DEADLINE

KILLS = 40          # for each of the interpreters
ENDS = 12
SPREAD_SECONDS = 0.06   # an attach takes 5 to 40 ms; the rest is the session

PROGRAM = 'pymontrace::BEGIN {{ print("begin") }} func:*step:start {{ maps.n[funcname()] = agg.count() }}'


@pytest.fixture
def dice():
    seed = int(os.environ.get("SPYGLASS_SEED", random.randrange(1 << 32)))
    print(f"SPYGLASS_SEED={seed}")
    return random.Random(seed)


def start_session(spyglass, target):
    return spyglass("-p", target.pid, "-e", PROGRAM)


@pytest.mark.heavy
@pytest.mark.parametrize("script", ["busy_checksum.py", "busy_threads.py"])
def test_tracer_killed(interpreter, start_target, spyglass, run_spyglass, dice, script):
    target = start_target(interpreter, script)
    threads = len(target.threads())
    descriptors = len(target.descriptors())
    for _ in range(KILLS // 2):
        session = start_session(spyglass, target)
        session.leave_alone(dice.random() * SPREAD_SECONDS)
        session.kill()
        assert target.running(), "the target died with its tracer"
    # It can still be attached, does its work, and holds nothing of ours.
    outcome = run_spyglass("-p", target.pid, "-e", 'pymontrace::BEGIN {{ print("here"); exit() }}')
    assert outcome.status == 0 and "here" in outcome.stdout, outcome.said()
    if script == "busy_checksum.py":
        target.verify_checksum()
    until = time.monotonic() + DEADLINE
    while (len(target.threads()), len(target.descriptors())) != (threads, descriptors):
        assert time.monotonic() < until, (target.threads(), target.descriptors())
    target.finish("stop")


@pytest.mark.heavy
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_target_ends_or_stops(interpreter, start_target, spyglass, dice, end):
    for _ in range(ENDS // 3):
        target = start_target(interpreter, "busy_checksum.py")
        session = start_session(spyglass, target)
        session.leave_alone(dice.random() * SPREAD_SECONDS)
        os.kill(target.pid, end)
        if end == signal.SIGSTOP:
            # Refused, or waiting to say goodbye; and the target is whole once it goes on.
            session.signal()
            session.signal()
            os.kill(target.pid, signal.SIGCONT)
            session.wait()
            target.verify_checksum()
            target.finish("stop")
        else:
            outcome = session.wait()
            assert outcome.status in (0, 1, 2), outcome.said()
            assert "Traceback" not in outcome.stderr
        target.kill()


@pytest.mark.heavy
def test_target_comes_to_its_end(interpreter, start_target, spyglass, dice):
    # The interpreter finalises while it is entered, while the probes go live, or later.
    for _ in range(ENDS):
        target = start_target(interpreter, "busy_checksum.py")
        session = start_session(spyglass, target)
        session.leave_alone(dice.random() * SPREAD_SECONDS)
        target.finish("stop")
        outcome = session.wait()
        assert outcome.status in (0, 1, 2), outcome.said()
        why = r"exited|has ended|there is no process|starting or ending"
        assert outcome.status == 0 or re.search(why, outcome.stderr), outcome.said()
        assert outcome.stdout.count("begin\n") <= 1 and "Traceback" not in outcome.stderr, outcome.said()


@pytest.mark.heavy
def test_target_executes_another_program(interpreter, start_target, spyglass, write_program, dice):
    for _ in range(ENDS):
        target = start_target(interpreter, write_program("""
import os, select
os.write(1, b"ready\\n")
while not select.select([0], [], [], 0)[0]:
    pass
os.read(0, 1)
os.execv("/bin/cat", ["cat"])
"""))
        session = start_session(spyglass, target)
        session.leave_alone(dice.random() * SPREAD_SECONDS)
        target.send()
        outcome = session.wait()
        assert outcome.status in (0, 1, 2), outcome.said()
        assert target.running(), "the program it became was killed"
        target.kill()

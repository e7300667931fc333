# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""The attacher alone, with a guest that only echoes: each strategy in the states of threads that it is for."""

import errno
import json
import subprocess

import pytest

from support.lines import DEADLINE
from support.session import build_folder

pytestmark = pytest.mark.unsanitized  # the driver is the same; the guest cannot be

BLOCKED = ["sleep", "lock", "input", "select"]
LIMITED = {"c-nanosleep": 0, "c-poll": 0, "c-select": 0, "sleep": 0, "lock": 0, "select": 0, "epoll": 0, "recv": -1,
           "condition": 0}
ENDLESS = {"c-read": 1, "c-poll-input": 1, "c-epoll-input": 1, "input": 0}


def attach(target, *strategy_and_patience):
    """What the driver says: {"strategy": ...} or {"error": ..., "code": ...}."""
    folder = build_folder() / "tests/attach"
    command = [folder / "attach_driver", str(target.pid), folder / "libecho_guest.so", *strategy_and_patience]
    done = subprocess.run(command, capture_output=True, text=True,
                          timeout=DEADLINE, check=False)
    assert done.returncode in (0, 1), (done.returncode, done.stdout, done.stderr)
    return json.loads(done.stdout) | {"said": done.stderr}


@pytest.mark.parametrize("situation", BLOCKED)
def test_a_blocked_main_thread_is_borrowed(interpreter, start_target, situation):
    target = start_target(interpreter, "situations.py", situation)
    for _ in range(5):
        assert attach(target, "blocked-thread").get("strategy") == "blocked-thread"
    assert target.running()


def test_a_running_main_thread_gets_a_pending_call(interpreter, start_target):
    target = start_target(interpreter, "busy_checksum.py")
    for _ in range(5):
        answer = attach(target, "pending-call")
        assert answer.get("strategy") == "pending-call", answer
    target.verify_checksum()


def test_a_thread_that_makes_call_after_call_is_borrowed_as_one_comes_back(interpreter, start_target):
    """Such a thread is hardly ever stopped in the interpreter's own code."""
    target = start_target(interpreter, "situations.py", "calls")
    for _ in range(20):
        answer = attach(target, "pending-call")
        assert answer.get("strategy") == "pending-call", answer
    assert target.running()


def test_the_wrong_strategy_says_why(interpreter, start_target):
    running = start_target(interpreter, "situations.py", "loop")
    asleep = start_target(interpreter, "situations.py", "sleep")
    answer = attach(running, "blocked-thread", "300")
    assert answer.get("code") == "no-safe-point" and "is running" in answer["said"], answer
    answer = attach(asleep, "pending-call", "300")
    assert answer.get("code") == "no-safe-point" and "no thread runs bytecode" in answer["said"], answer
    # Given up means given up: nothing comes later, and the next one is served.
    assert attach(running)["strategy"] and attach(asleep)["strategy"]


@pytest.mark.parametrize("call", [*LIMITED, "c-sem_timedwait"])
def test_a_borrowed_thread_keeps_its_time_limit(interpreter, start_target, call):
    # One that began anew each time would never end.
    target = start_target(interpreter, "blocked_calls.py", call)
    times = 0
    while not any(line.startswith("result ") for line in target.stdout.lines()):
        attach(target, "blocked-thread")
        times += 1
    value, number, early = target.stdout.wait_for("^result ").split()[1:]
    assert times > 1 and early == "0", (times, value, number)
    if call == "c-sem_timedwait":
        assert (value, number) == ("-1", str(errno.ETIMEDOUT))
    else:
        assert value == str(LIMITED[call]) and number != str(errno.EINTR)
    target.finish()


@pytest.mark.parametrize("call", ENDLESS)
def test_a_borrowed_thread_goes_on_waiting(interpreter, start_target, call):
    target = start_target(interpreter, "blocked_calls.py", call)
    for _ in range(10):
        assert attach(target, "blocked-thread").get("strategy") == "blocked-thread"
    target.send("")
    value, number, _ = target.stdout.wait_for("^result ").split()[1:]
    assert value == str(ENDLESS[call]) and number != str(errno.EINTR)
    target.finish()

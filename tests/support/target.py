# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""A Python program to be traced, started under a chosen interpreter.

The program says `ready` on standard output when it is in the situation that it stands for, and
usually reads one line from standard input before it goes on; nothing here sleeps. It dies with the
test, whatever happens. Programs that count work print `checksum ROUNDS VALUE` (tests/targets/
arithmetic.py); verify_checksum() computes the same value another way.
"""

import os
import pathlib
import signal
import subprocess
import time

from support.interpreters import TESTS
from support.lines import DEADLINE, LineReader

MULTIPLIER, INCREMENT, MODULUS = 6364136223846793005, 1442695040888963407, 1 << 64


class Target:
    def __init__(self, interpreter, script, *args, user=None, env=None, cwd=None, prefix=(), ready="^ready$",
                 python_options=(), bare_root=False):
        script = pathlib.Path(script)
        if not script.is_absolute():
            script = TESTS / "targets" / script
        self.script = script
        self.interpreter = interpreter
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
        command = [*prefix, *interpreter.argv, *python_options, str(script), *map(str, args)]
        if user is not None:
            if interpreter.kind == "root":
                environment["SPYGLASS_ROOT_USER"] = f"{user.uid}:{user.uid}"
            else:
                command = [*user.prefix, *command]
        if bare_root:
            environment["SPYGLASS_ROOT_BARE"] = "1"
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, env=environment, cwd=cwd,
                                         process_group=0)  # a stop signal from a terminal is meant for it alone
        self.pid = self._process.pid
        self.stdout = LineReader(self._process.stdout, f"standard output of {script.name}")
        self.stderr = LineReader(self._process.stderr, f"standard error of {script.name}")
        if ready is not None:
            try:
                self.stdout.wait_for(ready)
            except AssertionError as error:
                self.kill()
                raise AssertionError(f"{error}\n{self.stderr.text()}") from None

    def send(self, line=""):
        """One line on the program's standard input."""
        self._process.stdin.write((line + "\n").encode())
        self._process.stdin.flush()

    def signal(self, number):
        self._process.send_signal(number)

    def running(self):
        return self._process.poll() is None

    def wait(self, deadline=DEADLINE):
        """Exit status, negative for a signal, once both output pipes are at their end too."""
        try:
            status = self._process.wait(deadline)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.script.name} (pid {self.pid}) still runs after {deadline} s; it said:\n"
                                 f"{self.stdout.text()}{self.stderr.text()}") from None
        self.stdout.join()
        self.stderr.join()
        return status

    def finish(self, line=""):
        """Lets the program go to its end in peace: sends a line, expects status 0 and a clean stderr."""
        self.send(line)
        self.expect_clean_end()

    def expect_clean_end(self):
        status = self.wait()
        assert status == 0, f"the target ended with {status}:\n{self.stdout.text()}{self.stderr.text()}"
        assert self.stderr.text() == "", f"something wrote on the target's standard error:\n{self.stderr.text()}"

    def verify_checksum(self, deadline=DEADLINE):
        """Asks the program for its work so far, and checks that not one step of it went wrong."""
        self.send("checksum")
        line = self.stdout.wait_for("^checksum ", deadline)
        _, rounds, value = line.split()
        assert int(value) == checksum(int(rounds)), f"the target's work was disturbed: {line}"
        return int(rounds)

    def allocated_blocks(self):
        """sys.getallocatedblocks() of a target that knows the command."""
        self.send("blocks")
        return int(self.stdout.wait_for("^blocks ").split()[1])

    def kill(self):
        if self._process.poll() is None:
            self._process.kill()
            self._process.send_signal(signal.SIGCONT)
        self._process.wait()
        if not self._process.stdin.closed:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                pass

    # What the kernel knows about it, for tests that nothing is left behind.

    def threads(self):
        return sorted(map(int, os.listdir(f"/proc/{self.pid}/task")))

    def descriptors(self):
        found = {}
        for number in os.listdir(f"/proc/{self.pid}/fd"):
            try:
                found[int(number)] = os.readlink(f"/proc/{self.pid}/fd/{number}")
            except FileNotFoundError:
                pass  # closed meanwhile
        return found

    def resident_bytes(self):
        with open(f"/proc/{self.pid}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def mappings(self):
        with open(f"/proc/{self.pid}/maps") as maps:
            return maps.read().splitlines()

    def state(self):
        """The letter of /proc/PID/stat: R, S, D, T (stopped), t (traced), Z."""
        with open(f"/proc/{self.pid}/stat") as stat:
            return stat.read().rpartition(") ")[2][0]

    def wait_until_asleep(self, deadline=DEADLINE):
        """Returns once the main thread waits in the kernel: a program that says `ready` is not there yet."""
        end = time.monotonic() + deadline
        while self.state() != "S":
            assert time.monotonic() < end, f"process {self.pid} never slept, it is {self.state()}"
            time.sleep(0.001)


def checksum(rounds):
    """Value of the targets' generator after so many steps, by repeated squaring of the affine map."""
    multiplier, increment = 1, 0
    step_multiplier, step_increment = MULTIPLIER, INCREMENT
    while rounds:
        if rounds & 1:
            multiplier, increment = (multiplier * step_multiplier % MODULUS,
                                     (increment * step_multiplier + step_increment) % MODULUS)
        step_multiplier, step_increment = (step_multiplier * step_multiplier % MODULUS,
                                           (step_increment * step_multiplier + step_increment) % MODULUS)
        rounds >>= 1
    return (multiplier * 1 + increment) % MODULUS

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""One run of the product's command, under either of its names, with its output as it comes."""

import dataclasses
import os
import pathlib
import signal
import subprocess

from support.interpreters import TREE
from support.lines import DEADLINE, LineReader

INSTALLED = r"^Probes installed\. Hit CTRL-C to end\.\.\.$"


def build_folder():
    folder = pathlib.Path(os.environ.get("SPYGLASS_BUILD", "build"))
    return folder if folder.is_absolute() else TREE / folder


@dataclasses.dataclass(frozen=True)
class Outcome:
    status: int
    stdout: str
    stderr: str

    def said(self):
        return f"status {self.status}\n--- stdout\n{self.stdout}--- stderr\n{self.stderr}"


class Session:
    def __init__(self, *args, name="spyglass", build=None, prefix=(), env=None, cwd=None, stdin=None):
        """Starts `name args...`. `stdin` may be text, or None for an empty one."""
        self.command = [*prefix, str((build or build_folder()) / name), *map(str, args)]
        environment = {**os.environ, **(env or {})}
        self._process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, env=environment, cwd=cwd)
        self.pid = self._process.pid
        self.stdout = LineReader(self._process.stdout, f"standard output of {name}")
        self.stderr = LineReader(self._process.stderr, f"standard error of {name}")
        if stdin is not None:
            self._process.stdin.write(stdin.encode())
        self._process.stdin.close()

    def wait_installed(self, deadline=DEADLINE):
        self.stderr.wait_for(INSTALLED, deadline)
        return self

    def signal(self, number=signal.SIGINT):
        self._process.send_signal(number)

    def running(self):
        return self._process.poll() is None

    def wait(self, deadline=DEADLINE):
        try:
            status = self._process.wait(deadline)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{' '.join(self.command)} still runs after {deadline} s; it said:\n"
                                 f"{self.stdout.text()}{self.stderr.text()}") from None
        self.stdout.join()
        self.stderr.join()
        return Outcome(status, self.stdout.text(), self.stderr.text())

    def leave_alone(self, seconds):
        """For so long, or until it ends by itself: a random instant for what comes next, never a wait for something."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass

    def interrupt(self, deadline=DEADLINE):
        """CTRL-C, then the end."""
        self.signal(signal.SIGINT)
        return self.wait(deadline)

    def kill(self):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()

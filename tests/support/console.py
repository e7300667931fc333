# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""A terminal as the guide shows it: commands one after the other, programs in the background, CTRL-C.

Both output streams of a command arrive in one, as on a terminal. `$!` in a command is the process
started last in the background, and so is the dummy number 4711; `$?` is the last command's status.
"""

import os
import re
import signal
import subprocess

from support.case_file import compare
from support.guide_page import patterns
from support.lines import DEADLINE, LineReader


class Console:
    def __init__(self, folder, path, environment=None):
        self.folder = folder
        self.environment = {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})}
        self._status = 0
        self._background = []  # (Popen, LineReader, Command)

    def run(self, command):
        """Runs one command of a page; an AssertionError says what came instead of what it expects."""
        if command.in_background:
            self._start_in_background(command)
            return
        process, output = self._start(f"(exit {self._status}); {self._filled(command.text)}")
        try:
            if command.before_ctrl_c is not None:
                self._wait_until(output, command, command.before_ctrl_c)
                os.killpg(process.pid, signal.SIGINT)
            try:
                self._status = process.wait(DEADLINE)
            except subprocess.TimeoutExpired:
                raise AssertionError(f"{command.text}\nstill runs; it said:\n{output.text()}") from None
            output.join()
        finally:
            end(process)
        self._compare(command, output)
        assert self._status >= 0, f"{command.text}\nwas killed by signal {-self._status}"

    def close(self):
        """Ends the programs in the background; they must not have said anything else."""
        self.kill()
        for process, output, command in self._background:
            output.join()
            self._compare(command, output, process.pid)
        self._background.clear()

    def kill(self):
        for process, _, _ in self._background:
            end(process)

    def _start_in_background(self, command):
        process, output = self._start("exec " + self._filled(command.text).removesuffix("&"))
        self._background.append((process, output, command))
        self._wait_until(output, command, command.expected)

    def _start(self, text):
        process = subprocess.Popen(["bash", "-c", text], cwd=self.folder, env=self.environment, process_group=0,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return process, LineReader(process.stdout, text)

    def _filled(self, text):
        if not self._background:
            return text
        return re.sub(r"\$!|\b4711\b", str(self._background[-1][0].pid), text)

    def _patterns(self, command, lines, process=None):
        if process is None and self._background:
            process = self._background[-1][0].pid
        return patterns(lines, process, command.numbers_vary)

    def _wait_until(self, output, command, lines):
        wanted = self._patterns(command, lines) + ["..."]
        output.wait_until(lambda said: compare(wanted, but_waiting(said)) is None, f"{command.text}\nthe lines\n" + "\n".join(lines))

    def _compare(self, command, output, process=None):
        wrong = compare(self._patterns(command, command.expected, process), but_waiting(output.lines()))
        assert not wrong, f"{command.text}\n{wrong}; it said:\n{output.text()}"


def but_waiting(lines):
    """Without what is said when a busy machine takes its time."""
    return [line for line in lines if not line.startswith("Waiting for process ")]


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()

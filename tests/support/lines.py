# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads a pipe on a thread of its own and lets a test wait for a line with a deadline.

A deadline is a guard against hanging for ever, never a measurement: it is generous, and when it
passes the test fails with everything that was said so far.
"""

import re
import threading
import time

DEADLINE = 60.0  # seconds; a loaded machine must not fail a test


class LineReader:
    def __init__(self, pipe, name):
        self.name = name
        self._lines = []
        self._seen = 0  # lines before this index were consumed by wait_for()
        self._ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read, args=(pipe,), daemon=True, name=name)
        self._thread.start()

    def _read(self, pipe):
        with pipe:
            for raw in pipe:
                with self._changed:
                    self._lines.append(raw.decode("utf-8", "surrogateescape").rstrip("\n"))
                    self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def lines(self):
        with self._changed:
            return list(self._lines)

    def text(self):
        return "".join(line + "\n" for line in self.lines())

    def wait_for(self, pattern, deadline=DEADLINE, or_end=False):
        """The next line in which the regular expression is found; earlier ones are passed over.

        With `or_end` None is returned when the pipe ends first, otherwise that is a failure.
        """
        until = time.monotonic() + deadline
        with self._changed:
            while True:
                while self._seen < len(self._lines):
                    line = self._lines[self._seen]
                    self._seen += 1
                    if re.search(pattern, line):
                        return line
                if self._ended:
                    if or_end:
                        return None
                    raise AssertionError(f"{self.name} ended without a line like {pattern!r}; it said:\n"
                                         + "\n".join(self._lines))
                if not self._changed.wait(max(0.0, until - time.monotonic())) and time.monotonic() >= until:
                    raise AssertionError(f"{self.name}: no line like {pattern!r} in {deadline} s; it said:\n"
                                         + "\n".join(self._lines))

    def wait_for_count(self, count, deadline=DEADLINE):
        """Waits until so many lines have come; returns all."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._lines) >= count or self._ended, deadline):
                raise AssertionError(f"{self.name}: {len(self._lines)} lines of {count} in {deadline} s")
            if len(self._lines) < count:
                raise AssertionError(f"{self.name} ended after {len(self._lines)} lines of {count}:\n"
                                     + "\n".join(self._lines))
            return list(self._lines)

    def wait_until(self, holds, what, deadline=DEADLINE):
        """Waits until `holds` is true of the lines so far; `what` says in words what that means."""
        with self._changed:
            if self._changed.wait_for(lambda: holds(list(self._lines)) or self._ended, deadline) \
                    and holds(list(self._lines)):
                return
            raise AssertionError(f"{what}\ndid not come{'' if self._ended else f' in {deadline} s'}; it said:\n"
                                 + "\n".join(self._lines))

    def join(self, deadline=DEADLINE):
        self._thread.join(deadline)
        if self._thread.is_alive():
            raise AssertionError(f"{self.name} is still open after {deadline} s")

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""What all benchmarks share: a result with its limit, and sessions that end whatever happens."""

import dataclasses

from support.session import Session
from support.target import Target


@dataclasses.dataclass
class Result:
    group: str
    name: str
    python: str
    value: float
    unit: str
    limit: float = None
    samples: list = dataclasses.field(default_factory=list)

    @property
    def holds(self):
        return self.limit is None or self.value <= self.limit

    def row(self):
        limit = "" if self.limit is None else f"{self.limit:g}"
        verdict = "" if self.limit is None else ("ok" if self.holds else "OVER")
        digits = 3 if self.unit == "x" else 1
        return (self.python, self.name, f"{self.value:.{digits}f} {self.unit}".strip(), limit, verdict)


class Bench:
    def __init__(self):
        self._open = []

    def session(self, *args, **kwargs):
        session = Session(*args, **kwargs)
        self._open.append(session)
        return session

    def target(self, interpreter, script):
        target = Target(interpreter, script)
        self._open.append(target)
        return target

    def end(self, session):
        outcome = session.interrupt()
        self._open.remove(session)
        assert outcome.status == 0, outcome.said()

    def finish(self, target):
        target.finish("stop")
        self._open.remove(target)

    def close(self):
        for one in self._open:
            one.kill()

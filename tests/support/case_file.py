# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads .case files: whole-program tests as plain text that a user could have typed.

The directives are described in tests/README.md. A mistake in a file is an error with its line, never
a case that silently does less.
"""

import dataclasses
import re
import shlex

TAKES_BLOCK = {"TARGET", "PROGRAM", "EXPECT", "ERRORS", "SAYS"}
TAKES_WORDS = {"CASE", "ARGS", "MODE", "STATUS", "VERSIONS", "NOT-ERRORS"}
CONDITION = re.compile(r"(>=|<=|==|<|>)(\d+)\.(\d+)$")


class CaseError(Exception):
    pass


@dataclasses.dataclass
class Block:
    condition: str
    lines: list


@dataclasses.dataclass
class Case:
    title: str
    line: int
    target: list = dataclasses.field(default_factory=list)
    program: list = None
    args: list = dataclasses.field(default_factory=list)
    modes: list = dataclasses.field(default_factory=lambda: ["attach"])
    expect: list = dataclasses.field(default_factory=list)  # Blocks: standard output of spyglass, whole
    errors: list = dataclasses.field(default_factory=list)  # Blocks: standard error, these lines in order
    says: list = dataclasses.field(default_factory=list)  # Blocks: standard output of the target, whole
    not_errors: list = dataclasses.field(default_factory=list)  # regular expressions that must not be there
    status: int = 0
    versions: str = ""


def holds(condition, minor):
    """`>=3.10,<3.13` for a (3, 12)."""
    for part in filter(None, condition.replace(" ", "").split(",")):
        found = CONDITION.match(part)
        if not found:
            raise CaseError(f"not a version condition: {part}")
        other = (int(found[2]), int(found[3]))
        if not {">=": minor >= other, "<=": minor <= other, "==": minor == other, "<": minor < other,
                ">": minor > other}[found[1]]:
            return False
    return True


def choose(blocks, minor):
    """The lines of the first block whose condition holds; None when there is no such block."""
    for block in blocks:
        if holds(block.condition, minor):
            return block.lines
    return None


def parse(text, name):
    cases, block = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("    "):
            if block is None:
                raise CaseError(f"{name}:{number}: indented text without a directive above it")
            block.append(line[4:])
            continue
        if not line.strip():
            if block is not None:
                block.append("")
            continue
        if line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        rest, block = rest.strip(), None
        if word == "CASE":
            cases.append(Case(rest, number))
            continue
        if word not in TAKES_BLOCK | TAKES_WORDS:
            raise CaseError(f"{name}:{number}: unknown directive {word}")
        if not cases:
            raise CaseError(f"{name}:{number}: {word} before the first CASE")
        block = _directive(cases[-1], word, rest, f"{name}:{number}")
    for case in cases:
        _trim(case)
        if case.program is None and not case.args:
            raise CaseError(f"{name}:{case.line}: neither PROGRAM nor ARGS")
        if not case.expect and not case.errors and not case.says:
            raise CaseError(f"{name}:{case.line}: expects nothing, so it could not fail")
    return cases


def _directive(case, word, rest, where):
    """Stores one directive; returns the list that the indented lines below it belong to."""
    lines = []
    if word == "TARGET":
        case.target = lines
    elif word == "PROGRAM":
        case.program = lines
    elif word in ("EXPECT", "ERRORS", "SAYS"):
        getattr(case, word.lower()).append(Block(rest, lines))
    elif word == "ARGS":
        case.args = shlex.split(rest)
        return None
    elif word == "MODE":
        case.modes = rest.split()
        if not set(case.modes) <= {"attach", "launch"}:
            raise CaseError(f"{where}: MODE is attach, launch or both")
        return None
    elif word == "STATUS":
        case.status = int(rest)
        return None
    elif word == "VERSIONS":
        holds(rest, (3, 8))
        case.versions = rest
        return None
    elif word == "NOT-ERRORS":
        case.not_errors.append(rest)
        return None
    return lines


def _trim(case):
    for lines in [case.target, case.program or [], *(b.lines for b in case.expect + case.errors + case.says)]:
        while lines and not lines[-1]:
            lines.pop()


def compare(expected, actual):
    """None if the lines match, else a sentence. `re:` lines are regular expressions, `...` is any
    number of lines, between `unordered:` and `ordered:` the order is free."""
    at, index = 0, 0
    while index < len(expected):
        wanted = expected[index]
        if wanted == "...":
            rest = expected[index + 1:]
            if not rest:
                return None
            for start in range(at, len(actual) + 1):
                if compare(rest, actual[start:]) is None:
                    return None
            return f"after `...` nothing matches {rest[0]!r} and what follows"
        if wanted == "unordered:":
            end = expected.index("ordered:", index) if "ordered:" in expected[index:] else len(expected)
            group = expected[index + 1:end]
            got = list(actual[at:at + len(group)])
            for one in group:
                hit = next((line for line in got if _line_matches(one, line)), None)
                if hit is None:
                    return f"no line matches {one!r} among {actual[at:at + len(group)]!r}"
                got.remove(hit)
            at, index = at + len(group), end + 1
            continue
        if at >= len(actual):
            return f"ends before {wanted!r}"
        if not _line_matches(wanted, actual[at]):
            return f"line {at + 1} is {actual[at]!r}, expected {wanted!r}"
        at, index = at + 1, index + 1
    if at < len(actual):
        return f"unexpected line {at + 1}: {actual[at]!r}"
    return None


def contains_in_order(expected, actual):
    at = 0
    for wanted in expected:
        while at < len(actual) and not _line_matches(wanted, actual[at]):
            at += 1
        if at == len(actual):
            return f"no line matches {wanted!r}" + ("" if wanted is expected[0] else " after the ones before it")
        at += 1
    return None


def _line_matches(wanted, line):
    if wanted.startswith("re:"):
        return re.search(wanted[3:], line) is not None
    return wanted == line

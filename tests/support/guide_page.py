# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads a page of the guide: the files and the commands in it, in their order.

The markup is described in tests/README.md. Whatever this reader does not understand is an error with
its line: an example that nobody runs must not look like one that somebody does.
"""

import dataclasses
import re
import shlex

FENCE = re.compile(r"^```(.*)$")
NAMED = re.compile(r"`([\w./-]+\.\w+)`:$")
CTRL_C = "^C"
NUMBERS_VARY = "<!-- numbers vary -->"


class PageError(Exception):
    pass


@dataclasses.dataclass
class File:
    """A program of the page, written to its folder under its name."""
    name: str
    text: str
    line: int


@dataclasses.dataclass
class Command:
    text: str
    line: int
    numbers_vary: bool = False  # the page shows one run's
    before_ctrl_c: list = None  # lines after which CTRL-C is pressed; None: it ends by itself
    expected: list = dataclasses.field(default_factory=list)

    @property
    def in_background(self):
        return self.text.endswith("&")


def parse(text, name):
    steps, fence, block, previous, remark, numbers_vary = [], None, [], "", "", False
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if fence is None and found:
            fence, block = (number, found[1].strip(), previous), []
            numbers_vary = remark == NUMBERS_VARY
        elif fence is not None and line == "```":
            steps += _read_block(name, *fence, block, numbers_vary)
            fence = None
        elif fence is not None:
            block.append(line)
        elif "```" in line or line.startswith(("    ", "\t", "~~~")):
            raise PageError(f"{name}:{number}: only text and blocks between ``` can stand here")
        if fence is None and line.strip():
            remark = line if line.startswith("<!--") else ""
            if remark not in ("", NUMBERS_VARY):
                raise PageError(f"{name}:{number}: the only remark is {NUMBERS_VARY}")
            previous = previous if remark else line
    if fence is not None:
        raise PageError(f"{name}:{fence[0]}: this block does not end")
    return steps


def _read_block(name, number, info, previous, lines, numbers_vary):
    if info == "console":
        commands = _read_commands(name, number + 1, lines)
        for command in commands:
            command.numbers_vary = numbers_vary
        return commands
    named = NAMED.search(previous)
    if info not in ("python", "spyglass", "ini"):
        raise PageError(f"{name}:{number}: a block is `console`, `python`, `spyglass` or `ini`, not `{info}`")
    if not named or named[1].startswith("/") or ".." in named[1]:
        raise PageError(f"{name}:{number}: the line above must end with the name of this program, `NAME`:")
    return [File(named[1], "\n".join(lines) + "\n", number)]


def _read_commands(name, number, lines):
    commands, unfinished = [], False
    for number, line in enumerate(lines, number):
        if unfinished:
            commands[-1].text += "\n" + line
            unfinished = _is_open(commands[-1].text)
        elif line.startswith("$ "):
            commands.append(Command(line[2:].rstrip(), number))
            unfinished = _is_open(commands[-1].text)
        elif not commands:
            raise PageError(f"{name}:{number}: the first line of a console is a command, `$ ...`")
        else:
            _expect(name, number, commands[-1], line)
    if unfinished or not commands:
        raise PageError(f"{name}:{number}: this command has no end")
    for command in commands:
        _check(name, command)
    return commands


def _expect(name, number, command, line):
    if line.startswith(CTRL_C):
        if command.before_ctrl_c is not None:
            raise PageError(f"{name}:{number}: CTRL-C is pressed once")
        command.before_ctrl_c = list(command.expected)
        line = line[len(CTRL_C):]
        if not line:
            return
    command.expected.append(line)


def _check(name, command):
    where = f"{name}:{command.line}"
    if command.in_background and (not command.expected or command.before_ctrl_c is not None):
        raise PageError(f"{where}: a program in the background says something when it is ready")
    if command.before_ctrl_c is not None and not any(line != "..." for line in command.before_ctrl_c):
        raise PageError(f"{where}: CTRL-C is pressed after something was said")
    if command.expected and all(line.strip() == "..." for line in command.expected):
        raise PageError(f"{where}: expects anything at all, so it could not fail")


def _is_open(text):
    """Whether the shell would ask for another line."""
    try:
        shlex.split(text)
    except ValueError:
        return True
    return False


def patterns(lines, process, numbers_vary=False):
    """Expected lines for case_file.compare(): `...` alone is any number of lines, within a line any text.

    4711 is the dummy for the process in the background, whose number may have more or fewer digits. Where numbers
    vary, a list may have other elements, a histogram more or fewer bars between the first and the last, a map another order.
    """
    wanted, in_map = [], False
    for index, line in enumerate(lines):
        if numbers_vary and all(_is(BAR, lines, near) for near in (index - 1, index, index + 1)):
            line = "..."
        if numbers_vary and in_map != _is(ENTRY, lines, index):
            in_map = not in_map
            wanted.append("unordered:" if in_map else "ordered:")
        wanted.append("..." if line == "..." else "re:^" + _pattern(line, process, numbers_vary) + "$")
    return wanted


BAR = re.compile(r" +-?\d+ \|")
ENTRY = re.compile(r"  \S.*: +\d+$")


def _is(kind, lines, index):
    return 0 <= index < len(lines) and kind.match(lines[index]) is not None


TOKEN = re.compile(r"(?P<any>\.\.\.)|(?P<process> *\b4711\b)|(?P<gap>[ @]+)|(?P<list>\[[^].]*\])|(?P<number>\d+)|(?P<text>.)")


def _pattern(line, process, numbers_vary):
    pattern = ""
    for token in TOKEN.finditer(line):
        text = token[0]
        if token["any"]:
            pattern += ".*"
        elif token["process"] and process is not None:
            pattern += (" *" if text[0] == " " else "") + str(process)
        elif token["gap"] and numbers_vary:
            pattern += "[ @]+"  # a longer bar or number moves what stands beside it
        elif token["list"] and numbers_vary:
            pattern += r"\[.*\]"
        elif token["number"] and numbers_vary:
            pattern += r"\d+"
        else:
            pattern += re.escape(text)
    return pattern

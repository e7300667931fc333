# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks the laws of the house (docs/internals.md) on the source text.

Arrows between rooms, doors, includes written from src/ with the own header first, no cycle, guest
laws, file sizes, licence lines. Prints `file:line: what, and why`; status 1 if anything was found.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys
import tomllib

TREE = pathlib.Path(__file__).resolve().parent.parent
SRC = TREE / "src"
MOST_LINES = 600
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
LICENSED = {".h", ".cpp", ".c", ".S", ".py", ".sh", ".cmake", ".toml", ".def", ".ld", ".case"}
LICENCE = ("SPDX-FileCopyrightText: Spyglass contributors", "SPDX-License-Identifier: Apache-2.0")


class Report:
    def __init__(self):
        self.count = 0

    def __call__(self, path, line, text):
        self.count += 1
        where = path.relative_to(TREE) if path.is_absolute() else path
        print(f"{where}:{line}: {text}")


def tracked_files():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=TREE,
                            capture_output=True, text=True, check=True).stdout
    return [TREE / name for name in listed.splitlines() if (TREE / name).is_file()]


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) or name.startswith(pattern.rstrip("*") + "/")
               for pattern in patterns)


def room_of(name, rooms):
    """The room with the longest name that is a prefix of this path below src/."""
    candidates = [room for room in rooms if name == room or name.startswith(room + "/")]
    return max(candidates, key=len, default=None)


def without_comments(text):
    """The text with comments and string contents blanked, lines kept."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

    def blank(found):
        kept = found.group(0)
        if kept.startswith(('"', "'", "R")):
            return '""' + "\n" * kept.count("\n")
        return re.sub(r"[^\n]", " ", kept)

    return pattern.sub(blank, text)


def check_includes(path, name, lines, arrows, edges, report):
    rooms = arrows["rooms"]
    room = room_of(name, rooms)
    if room is None:
        if path.suffix in (".h", ".cpp", ".c", ".S"):
            report(path, 1, "in no room of tools/arrows.toml")
        return
    if matches(name, arrows["freestanding"]) and path.suffix != ".cpp":
        return
    own = path.with_suffix(".h")
    if str(own.relative_to(SRC)) in arrows["force_included"]:
        own = path.with_suffix(".none")
    quoted_seen = False
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*#\s*include\s*<", line) and not quoted_seen and path.suffix == ".cpp" and own.exists():
            report(path, number, "the own header comes first, so that it is known to stand alone")
            quoted_seen = True
        found = INCLUDE.match(line)
        if not found:
            continue
        included = found.group(1)
        if not quoted_seen and path.suffix == ".cpp" and own.exists() and SRC / included != own:
            report(path, number, f'the own header "{own.relative_to(SRC)}" comes first')
        quoted_seen = True
        if not (SRC / included).exists():
            report(path, number, f'"{included}" is not a path below src/')
            continue
        other = room_of(included, rooms)
        if other is None:
            report(path, number, f'"{included}" is in no room of tools/arrows.toml')
            continue
        if other in (room, "base"):
            continue
        excused = any(one["from"] == name and matches(included, [one["to"]]) for one in arrows.get("exception", []))
        if not excused:
            edges.setdefault(room, {}).setdefault(other, f"{name}:{number}")
        if not matches(other, rooms[room]) and not excused:
            report(path, number, f"room {room} must not know {other}; tools/arrows.toml says who may include whom")


def check_cycles(edges, report):
    state = {}

    def visit(room, trail):
        state[room] = "open"
        for other, where in edges.get(room, {}).items():
            if state.get(other) == "open":
                cycle = [*trail[trail.index(other):], other] if other in trail else [room, other]
                report(SRC / where.partition(":")[0], int(where.partition(":")[2]), "rooms in a circle: " + " -> ".join(cycle))
            elif other not in state:
                visit(other, [*trail, other])
        state[room] = "done"

    for room in list(edges):
        if room not in state:
            visit(room, [room])


def check_doors(path, name, lines, arrows, report):
    for door in arrows["door"]:
        if matches(name, door["only"]):
            continue
        for number, line in enumerate(lines, 1):
            if re.search(door["pattern"], line):
                report(path, number, f"{door['what']} belong in {', '.join(door['only'])}: {door['reason']}")


def check_bans(path, name, text, code, bans, guest, report):
    active = list(bans["all"]["ban"])
    if guest:
        active += bans["guest"]["ban"]
    for ban in active:
        if matches(name, ban.get("except", [])):
            continue
        for number, line in enumerate((text if ban.get("in_comments") else code).splitlines(), 1):
            if re.search(ban["pattern"], line):
                report(path, number, f"forbidden: {line.strip()[:60]}: {ban['reason']}")


def check_exceptions(arrows, report):
    for one in arrows.get("exception", []):
        if not one.get("reason"):
            report(TREE / "tools/arrows.toml", 1, f"the exception of {one['from']} has no reason")
        path = SRC / one["from"]
        if not path.exists() or f'"{one["to"]}"' not in path.read_text():
            report(TREE / "tools/arrows.toml", 1, f"the exception of {one['from']} is not needed any more")


def check_form(path, report):
    """Licence lines and size, for every kind of source."""
    is_script = path.suffix in LICENSED or path.name in ("Makefile", "CMakeLists.txt") or path.parent.name == ".ci"
    if not is_script or "corpus" in path.parts:
        return
    text = path.read_text(errors="replace")
    head = "\n".join(text.splitlines()[:4])
    if not all(line in head for line in LICENCE):
        report(path, 1, "the two SPDX lines are missing")
    lines = text.count("\n")
    if lines > MOST_LINES:
        report(path, lines, f"{lines} lines; one job per file, none above {MOST_LINES}")
    if path.suffix == ".h" and "#pragma once" not in text and "#ifndef SPYGLASS_" not in text:
        report(path, 1, "#pragma once is missing")


def main():
    arrows = tomllib.loads((TREE / "tools/arrows.toml").read_text())
    bans = tomllib.loads((TREE / "tools/banned.toml").read_text())
    report, edges = Report(), {}
    for path in tracked_files():
        check_form(path, report)
        if SRC not in path.parents or path.suffix not in (".h", ".cpp", ".c", ".S"):
            continue
        name = str(path.relative_to(SRC))
        text = path.read_text()
        code = without_comments(text)
        # Include lines carry their paths in quotes, which the blanking takes away.
        check_includes(path, name, text.splitlines(), arrows, edges, report)
        check_doors(path, name, [a if a.lstrip().startswith("#") else b for a, b in
                                 zip(text.splitlines(), code.splitlines())], arrows, report)
        check_bans(path, name, text, code, bans, matches(name, bans["guest"]["rooms"]), report)
    check_cycles(edges, report)
    check_exceptions(arrows, report)
    if report.count:
        print(f"{report.count} violation(s) of the laws of the house")
    return 1 if report.count else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Every number about the inside of CPython 3.8 to 3.11 is what the headers of that version say."""

import pathlib
import re
import subprocess

import pytest

from support.interpreters import TREE

HERE = pathlib.Path(__file__).parent


def old_layouts():
    """{minor: {field: offset}} of the table in old_layouts.cpp; "thread.frame" is "thread_frame"."""
    text = (TREE / "src/agent/python/sources/old_layouts.cpp").read_text()
    text = text[text.index("layouts[] = {"):text.index("}  // namespace")]
    tables, path = {}, []
    for name, value, closing in re.findall(r"\.(\w+) = (\{|\w+)|(\})", text):
        if closing:
            path = path[:-1]
        elif value == "{":
            path.append(name)
        elif name == "minor":
            fields = tables[int(value)] = {}
        elif value != "absent":
            fields["_".join([*path, name])] = int(value)
    return tables


def frozen_layouts():
    """{minor: (initialized, finalizing, pending_finishing)} of debug_offsets.cpp."""
    text = (TREE / "src/attach/debug_offsets.cpp").read_text()
    text = text[text.index("frozen_layouts[] = {"):]
    rows = re.findall(r"\{(\d+), (\d+), (\d+)(?:, (\d+))?\}", text[:text.index("};")])
    return {int(row[0]): tuple(int(number or 0) for number in row[1:]) for row in rows}


@pytest.fixture
def truth(interpreter, tmp_path):
    if interpreter.minor > (3, 11):
        pytest.skip("needs none of these numbers: CPython 3.12 and later")
    if interpreter.kind != "host":
        pytest.skip("no C headers of this interpreter here")
    include = subprocess.run([*interpreter.argv, "-c", "import sysconfig; print(sysconfig.get_path('include'))"],
                             check=True, capture_output=True, text=True).stdout.strip()
    if not pathlib.Path(include, "internal").is_dir():
        pytest.skip("no C headers of this interpreter here")
    program = tmp_path / "truth"
    subprocess.run(["gcc", "-w", "-I", include, HERE / "old_layouts_truth.c", "-o", program], check=True)
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name.replace(".", "_"): int(offset) for name, offset in map(str.split, lines)}


def test_layouts(interpreter, truth):
    table = old_layouts()[interpreter.minor[1]]
    assert len(table) > 25
    assert {name: truth.get(name) for name in table} == table


def test_state_of_the_runtime(interpreter, truth):
    initialized, finalizing, finishing = frozen_layouts()[interpreter.minor[1]]
    assert initialized == truth["runtime_initialized"] and finalizing == truth["runtime_finalizing"]
    assert finishing == truth.get("runtime_pending_finishing", 0)

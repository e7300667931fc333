# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""`spyglass config check`: status 0 and what it found, 2 and every mistake with its place. (The rules themselves:
tests/unit/config.)"""

import re

import pytest

GOOD = """[Python.default]
    pysysmon_c_start = off
[Lexgion(Python:solver.compute)]: Python.default
    max_num_traces = 5
"""
BAD = """[Python.default]
    trace_mode = FAST
[Lexgion(Python:compute)]: Pithon.default
    max_num_trace = 5
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "trace.txt"

    def write(text):
        path.write_text(text)
        return path

    return write


def test_a_clean_file(run_spyglass, config):
    outcome = run_spyglass("config", "check", config(GOOD))
    assert (outcome.status, outcome.stderr) == (0, ""), outcome.said()
    assert outcome.stdout.endswith("trace.txt: 2 sections, no errors\n")


def test_every_mistake_is_shown(run_spyglass, config):
    outcome = run_spyglass("config", "check", config(BAD))
    assert outcome.status == 2 and outcome.stdout == "", outcome.said()
    places = re.findall(r"trace\.txt:(\d+:\d+): error:", outcome.stderr)
    assert places == ["2:18", "3:28", "4:5"], outcome.stderr
    for hint in ["TRACING", "'Python'", "'max_num_traces'"]:
        assert hint in outcome.stderr, outcome.stderr


def test_a_warning_is_no_error(run_spyglass, config):
    outcome = run_spyglass("config", "check", config("[REMOVE Lexgion(Python:f)]\n"))
    assert outcome.status == 0 and "warning: there is no Lexgion(Python:f) to remove" in outcome.stderr, outcome.said()


def test_one_function_is_explained(run_spyglass, config):
    outcome = run_spyglass("config", "check", config(GOOD), "--explain", "solver.compute")
    assert outcome.status == 0, outcome.said()
    assert re.search(r"max_num_traces +5 +\S+trace\.txt:4  \[Lexgion\(Python:solver\.compute\)\]\n", outcome.stdout)
    assert re.search(r"pysysmon_c_start +off +\S+trace\.txt:2\n", outcome.stdout)
    assert re.search(r"tracing_rate +1 +built-in default\n", outcome.stdout)


@pytest.mark.parametrize("arguments, said", [
    (["missing.txt"], "No such file or directory"),
    (["/"], "Is a directory"),
    (["-", "--explain", "f:g"], "is not a domain"),
])
def test_what_cannot_be_read(run_spyglass, arguments, said):
    outcome = run_spyglass("config", "check", *arguments, stdin="")
    assert outcome.status == 2 and outcome.stdout == "" and said in outcome.stderr, outcome.said()
    assert outcome.stderr.startswith("spyglass: "), outcome.said()

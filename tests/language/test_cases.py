# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Every case of every .case file beside this one, on every interpreter."""

import pathlib

import pytest

from support.case_file import holds, parse
from support.case_run import run_case
from support.interpreters import primary_interpreters

HERE = pathlib.Path(__file__).parent


def all_cases():
    for path in sorted(HERE.glob("*.case")):
        for case in parse(path.read_text(), path.name):
            for mode in case.modes:
                for interpreter in primary_interpreters():
                    if holds(case.versions, interpreter.minor):
                        title = case.title.replace(" ", "-")
                        yield pytest.param(case, mode, interpreter,
                                           id=f"{path.stem}/{title}/{mode}/{interpreter.id}")


@pytest.mark.parametrize("case, mode, case_interpreter", all_cases())
def test_case(case, mode, case_interpreter, start_target, spyglass, write_program):
    run_case(case, mode, case_interpreter, start_target, spyglass, write_program)

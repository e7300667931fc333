# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Every example of docs/guide and of README.md, run as a reader would type it, on one interpreter."""

import re

import pytest

from support.console import Console
from support.guide_page import File, PageError, parse
from support.interpreters import TREE, primary_interpreters
from support.session import build_folder

GUIDE = TREE / "docs/guide"
PAGES = sorted(GUIDE.glob("*.md"))


def reader_interpreters():
    """The newest of the machine's own: what a reader of the guide has."""
    found = primary_interpreters()
    return ([one for one in found if one.kind == "host"] or found)[-1:]


on_one_interpreter = pytest.mark.own_interpreters
reader = pytest.mark.parametrize("interpreter", reader_interpreters(), ids=lambda one: one.id)


def run_page(page, steps, folder, interpreter, environment=None):
    path = f"{build_folder()}:{interpreter.path_folder()}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    console = Console(folder, path, environment)
    try:
        for step in steps:
            try:
                if isinstance(step, File):
                    (folder / step.name).write_text(step.text)
                else:
                    console.run(step)
            except AssertionError as error:
                raise AssertionError(f"{page.name}:{step.line}: {error}") from None
        console.close()
    finally:
        console.kill()


@on_one_interpreter
@reader
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page, interpreter, shared_tmp):
    run_page(page, parse(page.read_text(), page.name), shared_tmp, interpreter)


@on_one_interpreter
@reader
@pytest.mark.unsanitized  # `make demo` builds
def test_readme(interpreter):
    page = TREE / "README.md"
    # The page says `build`; the folder may be another one.
    text = page.read_text().replace("build/spyglass", f"{build_folder()}/spyglass")
    steps = parse(text, page.name)
    assert not any(isinstance(step, File) for step in steps), "README.md writes no files into the source tree"
    environment = {"BUILD": str(build_folder()), "MAKEFLAGS": "", "MAKELEVEL": ""}
    run_page(page, steps, TREE, interpreter, environment)

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Every example of docs/guide and of README.md, run as a reader would type it, on one interpreter."""

import re

import pytest

from support.console import Console
from support.guide_page import Command, File, parse
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
    steps = parse(page.read_text(), page.name)
    assert any(isinstance(step, Command) for step in steps), "a page without an example"
    run_page(page, steps, shared_tmp, interpreter)


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


# Nothing that the command has is missing from the guide.


def one_line(text):
    return " ".join(text.split())


def entries(file, pattern):
    found = re.findall(pattern, (TREE / file).read_text())
    assert found, f"{file} is not read as it was written"
    return found


def test_every_page_is_in_the_index():
    index = (GUIDE / "README.md").read_text()
    assert [page.name for page in PAGES if page.name != "README.md" and f"]({page.name})" not in index] == []


def test_every_command_has_a_page():
    names = entries("src/cli/commands/commands.cpp", r'\{"(\w+)", "')
    assert [name for name in names if name != "help" and not (GUIDE / f"{name}.md").exists()] == []


def test_every_option_is_explained(run_spyglass):
    options = re.findall(r"^ +(-[^ ]+)", run_spyglass("-h").stdout, re.M)
    page = (GUIDE / "trace.md").read_text()
    assert len(options) > 10
    assert [option for each in options for option in each.split(",") if f"`{option}" not in page] == []


def test_every_probe_site_and_aggregation_has_its_page():
    for name, _, available in entries("src/language/vocabulary.cpp", r'\{"(\w+)", "(\w+:[^"]*)",\s*"[^"]*",\s*(true|false)\}'):
        page = {"pymontrace": "begin-end", "spyglass": "begin-end"}.get(name, name)
        assert (GUIDE / f"{page}.md").exists() == (available == "true"), name
    for probe, site in entries("src/language/vocabulary.cpp", r'\{"(\w+)", "(\w+)", SiteKind::'):
        page = "func" if probe == "func" else "begin-end"
        assert f"`{probe}::{site}`" in (GUIDE / f"{page}.md").read_text() or f"| `{site}` |" in (
            GUIDE / f"{page}.md").read_text(), (probe, site)
    for name in entries("src/language/vocabulary.cpp", r"agg\.(\w+)\("):
        assert f"# agg.{name}(" in (GUIDE / f"{name}.md").read_text()


def test_every_function_of_actions_is_explained():
    page = (GUIDE / "actions.md").read_text()
    names = entries("src/agent/probes/names/functions.cpp", r'\{"(\w+)", (?:\w+|as_method\(\w+\)), ')
    assert len(names) > 10 and [name for name in names if f"`{name}(" not in page] == []


def test_every_refusal_has_its_remedy():
    page = one_line((GUIDE / "troubleshooting.md").read_text())
    string = r'"((?:[^"\\]|\\.)*)"'
    for code, texts in entries("src/attach/refusals.cpp", r'\{"([a-z-]+)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\}'):
        assert f"**`{code}`**" in page, code
        remedy = one_line("".join(re.findall(string, texts)))
        assert remedy in page.split(f"**`{code}`**")[1].split("**`")[0], (code, remedy)

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Fixtures of all integration tests; tests/README.md shows how to use them."""

import os
import pathlib
import shutil
import signal
import tempfile
import textwrap

import pytest

from support.case_run import prepare_source
from support.interpreters import all_interpreters, primary_interpreters
from support.session import Session, build_folder
from support.target import Target
from support.user import ordinary_user


def pytest_generate_tests(metafunc):
    for name, found in (("interpreter", primary_interpreters), ("python", primary_interpreters),
                        ("any_interpreter", all_interpreters)):
        if name in metafunc.fixturenames and not metafunc.definition.get_closest_marker("own_interpreters"):
            ids = [one.id if one.primary else f"{one.id}-{one.kind}" for one in found()]
            metafunc.parametrize(name, found(), ids=ids)


def pytest_configure(config):
    # A run in the background begins with SIGINT ignored, which every program it starts would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "since(minor): only on that CPython version and later, e.g. (3, 12)")
    config.addinivalue_line("markers", "own_interpreters: the test parametrises interpreters itself")


def pytest_report_header():
    return [f"build: {build_folder()}"] + [f"python {one.id}: {one}" for one in all_interpreters()]


def pytest_runtest_setup(item):
    if item.get_closest_marker("root_only") and os.geteuid() != 0:
        pytest.skip("needs root")
    if item.get_closest_marker("unsanitized") and os.environ.get("SPYGLASS_SANITIZED"):
        pytest.skip("not under sanitizers")
    since = item.get_closest_marker("since")
    if since and hasattr(item, "callspec"):
        for name in ("interpreter", "python", "any_interpreter"):
            one = item.callspec.params.get(name)
            if one is not None and one.minor < since.args[0]:
                pytest.skip(f"needs CPython {'.'.join(map(str, since.args[0]))}")


@pytest.fixture
def start_target():
    """start_target(interpreter, script, *args, ...) -> Target, killed at the end of the test."""
    started = []

    def start(*args, **kwargs):
        target = Target(*args, **kwargs)
        started.append(target)
        return target

    yield start
    for target in started:
        target.kill()


@pytest.fixture
def write_program(shared_tmp):
    """write_program(text, name="program.py") -> path of a Python file that every interpreter can open."""

    def write(text, name="program.py"):
        path = shared_tmp / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.chmod(path.parent, 0o755)
        path.write_text(text)
        os.chmod(path, 0o644)
        return path

    return write


@pytest.fixture
def shared_tmp():
    """A folder below /tmp that other users and the Debian roots can read, under the same path."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="spyglass-test-", dir="/tmp"))
    os.chmod(folder, 0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def spyglass():
    """spyglass(*args, name="spyglass", ...) -> a running Session, killed at the end of the test."""
    started = []

    def start(*args, **kwargs):
        session = Session(*args, **kwargs)
        started.append(session)
        return session

    yield start
    for session in started:
        session.kill()


@pytest.fixture
def run_spyglass(spyglass):
    """The same, and waits for its end: returns the Outcome."""

    def run(*args, **kwargs):
        return spyglass(*args, **kwargs).wait()

    return run


@pytest.fixture(scope="session")
def as_user():
    """An ordinary user: `.uid`, `.prefix` for commands, `.build` with the product readable to it."""
    if os.geteuid() != 0:
        pytest.skip("already an ordinary user")
    with ordinary_user() as user:
        yield user


@pytest.fixture
def trace(start_target, spyglass, write_program):
    """trace(interpreter, source, program, *args) -> (Outcome, Target): attaches at `ready()`, lets the
    target run to its clean end, and waits for the session. See support/case_run.py for `ready()`."""

    def run(interpreter, source, program, *args, clean=True, **target_options):
        path = write_program(prepare_source(textwrap.dedent(source).strip("\n").splitlines(), "attach"))
        target = start_target(interpreter, path, **target_options)
        session = spyglass("-p", target.pid, "-e", program, *args).wait_installed()
        target.send()
        if clean:
            target.expect_clean_end()
        else:
            target.wait()
        return session.wait(), target

    return run

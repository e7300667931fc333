# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""The interpreters that tests run, as tests/interpreters/find.py reports them.

An interpreter is more than a path: one in a Debian root is entered through a script that becomes it
without changing the pid. Use `argv` to start it, or `path_folder()` where only a program named
`python3` on PATH will do.
"""

import atexit
import dataclasses
import functools
import importlib.util
import os
import pathlib
import shlex
import shutil
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
TREE = TESTS.parent


@dataclasses.dataclass(frozen=True)
class Interpreter:
    id: str  # "3.14"
    version: tuple  # (3, 14, 2)
    argv: tuple  # what to put before a script
    kind: str  # "host" or "root"
    root: str  # folder of the Debian root, None on the host
    shared: bool  # libpython is a shared library
    primary: bool  # the one of its minor version in parametrised tests

    @property
    def minor(self):
        return self.version[:2]

    def __str__(self):
        where = "shared" if self.shared else "static"
        return f"{'.'.join(map(str, self.version))} ({where}, {self.root or self.argv[0]})"

    def path_folder(self):
        """A folder whose `python3` is this interpreter, to be put first on PATH."""
        return _path_folder(self.argv)


@functools.lru_cache(maxsize=None)
def _path_folder(argv):
    folder = tempfile.mkdtemp(prefix="spyglass-path-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.chmod(folder, 0o755)
    script = os.path.join(folder, "python3")
    with open(script, "w") as out:
        out.write(f'#!/bin/sh\nexec {shlex.join(argv)} "$@"\n')
    os.chmod(script, 0o755)
    return folder


def _load_find():
    spec = importlib.util.spec_from_file_location("find_interpreters", TESTS / "interpreters/find.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.lru_cache(maxsize=None)
def all_interpreters():
    """Every interpreter found. SPYGLASS_PYTHONS="3.11 3.14" keeps those versions alone."""
    only = os.environ.get("SPYGLASS_PYTHONS", "").split()
    return [
        Interpreter(one["id"], tuple(map(int, one["version"].split("."))), tuple(one["argv"]), one["kind"],
                    one["root"], one["shared"], one["primary"])
        for one in _load_find().find()
        if not only or one["id"] in only
    ]


def primary_interpreters():
    return [one for one in all_interpreters() if one.primary]

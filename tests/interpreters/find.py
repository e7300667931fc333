# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Finds the CPython interpreters that the tests can run, and prints them as a JSON list.

Each entry: `version` ("3.14.2"), `id` ("3.14"), `argv` (what to put before a script), `kind` ("host"
or "root"), `root` (folder or null), `executable`, `shared` (libpython is a shared library), `primary`
(the one of its minor version that parametrised tests use). Builds nothing: prepare.sh does that.
"""

import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
OLDEST, NEWEST = (3, 8), (3, 15)

ASK = """
import sys, sysconfig, json
print(json.dumps([sys.implementation.name, sys.version_info[:3], sys.executable,
                  "libpython" in open("/proc/self/maps").read(),
                  bool(sysconfig.get_config_var("Py_GIL_DISABLED"))]))
"""


def cache_folder():
    cache = os.environ.get("SPYGLASS_CACHE") or os.path.expanduser("~/.cache/spyglass")
    return os.path.join(cache, "roots")


def ask(argv):
    """What the interpreter says about itself, or None when it is none that we know."""
    try:
        done = subprocess.run([*argv, "-I", "-S", "-c", ASK], capture_output=True, text=True, timeout=60,
                              cwd="/", env={"PATH": os.environ.get("PATH", os.defpath)}, check=True)
        name, version, executable, shared, free_threaded = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if name != "cpython" or free_threaded or not OLDEST <= tuple(version[:2]) <= NEWEST:
        return None
    return {"version": ".".join(map(str, version)), "id": f"{version[0]}.{version[1]}",
            "executable": executable, "shared": shared}


def host_candidates():
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    yield from sorted(glob.glob(os.path.join(pyenv, "versions", "3.*", "bin", "python3")))
    folders = ["/usr/bin", "/usr/local/bin", *os.environ.get("PATH", "").split(os.pathsep)]
    for folder in folders:
        if os.path.join(pyenv, "shims") in folder:
            continue  # scripts that choose an interpreter, not interpreters
        for minor in range(OLDEST[1], NEWEST[1] + 1):
            yield os.path.join(folder, f"python3.{minor}")
        yield os.path.join(folder, "python3")


def find_host():
    seen = set()
    for path in host_candidates():
        real = os.path.realpath(path)
        if real in seen or not os.access(path, os.X_OK):
            continue
        seen.add(real)
        found = ask([path])
        if found:
            yield {**found, "argv": [path], "kind": "host", "root": None}


def find_roots():
    if os.geteuid() != 0:
        return
    enter = os.path.join(HERE, "enter_root.sh")
    for root in sorted(glob.glob(os.path.join(cache_folder(), "[a-z]*"))):
        for minor in range(OLDEST[1], NEWEST[1] + 1):
            inside = f"/usr/bin/python3.{minor}"
            if os.access(root + inside, os.X_OK):
                argv = [enter, root, inside]
                found = ask(argv)
                if found:
                    yield {**found, "argv": argv, "kind": "root", "root": root}
                else:
                    print(f"interpreters: {inside} of {root} does not run here", file=sys.stderr)


def find():
    interpreters = [*find_host(), *find_roots()]
    interpreters.sort(key=lambda one: tuple(map(int, one["id"].split("."))))  # stable: host before root
    primaries = set()
    for one in interpreters:
        one["primary"] = one["id"] not in primaries
        primaries.add(one["id"])
    return interpreters


if __name__ == "__main__":
    json.dump(find(), sys.stdout, indent=1)
    print()

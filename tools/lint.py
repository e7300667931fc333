# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""lint.py --build DIR [--jobs N] [--fast]: format, laws of the house, the agent's symbols, clang-tidy.

--fast leaves clang-tidy out. Status 1 if any of them found something.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parent.parent


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", "--", *patterns], cwd=TREE, capture_output=True, text=True, check=True)
    return listed.stdout.split()


def check_format(_):
    return subprocess.run(["clang-format", "--dry-run", "--Werror", *tracked("*.h", "*.cpp", "*.c")], cwd=TREE,
                          check=False).returncode


def check_arrows(_):
    return subprocess.run([sys.executable, "tools/check_arrows.py"], cwd=TREE, check=False).returncode


def check_agent(options):
    agent = options.build / "libspyglass_agent.so"
    if not agent.exists():
        print(f"{agent} is not built yet: run make first")
        return 1
    return subprocess.run([sys.executable, "tools/check_agent.py", str(agent)], cwd=TREE, check=False).returncode


# Flags of gcc that clang does not know, and paths to its plug-ins.
def tidy_one(job):
    file, build = job
    done = subprocess.run(["clang-tidy", "--quiet", "-p", str(build), "--extra-arg=-Wno-unknown-warning-option",
                           "--extra-arg=-Wno-everything", file], cwd=TREE, capture_output=True, text=True, check=False)
    return file, done.returncode, done.stdout


def check_tidy(options):
    database = json.loads((options.build / "compile_commands.json").read_text())
    files = sorted({one["file"] for one in database if one["file"].startswith(str(TREE / "src"))
                    and one["file"].endswith(".cpp")})
    status = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for _, code, said in pool.map(tidy_one, [(file, options.build) for file in files]):
            if code != 0:
                status = 1
                print(said)
    return status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=TREE / "build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fast", action="store_true")
    options = parser.parse_args()
    options.build = options.build.resolve()
    failed = []
    checks = [("format", check_format), ("arrows", check_arrows), ("agent", check_agent)]
    if not options.fast:
        checks.append(("clang-tidy", check_tidy))
    for name, check in checks:
        print(f"lint: {name}", flush=True)
        if check(options) != 0:
            failed.append(name)
    print("lint: " + (f"failed: {', '.join(failed)}" if failed else "clean"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Attaching: what a target may be doing, and where it may live. One test for each kind of report.

The raw states of threads are tested in tests/attach without tracing; here whole sessions are.
"""

import json
import os
import pathlib
import random
import signal

import pytest


COUNT = 'pymontrace::BEGIN {{ print("live"); exit() }}'


def attach_and_leave(spyglass, target, **options):
    outcome = spyglass("-p", target.pid, "-e", COUNT, **options).wait()
    assert outcome.status == 0 and outcome.stdout == "live\n", outcome.said()
    return outcome


@pytest.mark.parametrize("situation", ["loop", "sleep", "lock", "input", "select"])
def test_states_of_the_main_thread(any_interpreter, start_target, spyglass, situation):
    target = start_target(any_interpreter, "situations.py", situation)
    attach_and_leave(spyglass, target)
    attach_and_leave(spyglass, target)
    assert target.running() and target.stderr.text() == ""


def test_a_call_that_keeps_the_gil(interpreter, start_target, spyglass):
    target = start_target(interpreter, "situations.py", "gil")
    session = spyglass("-p", target.pid, "-e", COUNT)
    session.stderr.wait_for("(?i)wait")  # says what is waited for
    outcome = session.wait()
    assert outcome.status == 0 and outcome.stdout == "live\n", outcome.said()
    target.stdout.wait_for("^over$")
    target.finish()


@pytest.mark.parametrize("count", [1, 40, pytest.param(500, marks=pytest.mark.heavy)])
def test_many_threads(interpreter, start_target, spyglass, count):
    target = start_target(interpreter, "busy_threads.py", count)
    before = target.threads()
    assert len(before) == count + 1
    session = spyglass("-p", target.pid, "-e", """
func:__main__.work:start {{
    maps.seen[ctx.n] = agg.count()
    if len(maps.seen) == %d: exit()
}}
pymontrace::END {{ print(len(maps.seen)) }}""" % count)
    outcome = session.wait()
    assert outcome.status == 0 and outcome.stdout.splitlines()[0] == str(count), outcome.said()
    target.finish()


def test_threads_without_python(interpreter, start_target, spyglass, write_program):
    target = start_target(interpreter, write_program("""
import ctypes, os
libc = ctypes.CDLL(None)
for _ in range(8):
    ident = ctypes.c_ulong()
    assert libc.pthread_create(ctypes.byref(ident), None, libc.pause, None) == 0
os.write(1, b"ready\\n")
os.read(0, 1)
"""))
    attach_and_leave(spyglass, target)
    target.finish()


# Where the interpreter lives.


def test_binary_deleted_after_the_start(any_interpreter, start_target, spyglass, shared_tmp):
    import shutil
    if any_interpreter.kind == "root":
        pytest.skip("the Debian roots are shared by other tests, nothing in them is deleted")
    real = os.path.realpath(any_interpreter.argv[0])
    copy = shared_tmp / "some-service"
    shutil.copy(real, copy)
    home = os.path.dirname(os.path.dirname(real))
    library = next((path for path in loaded_libraries(any_interpreter, start_target) if "libpython" in path), None)
    environment = {"PYTHONHOME": home}
    if library:
        shutil.copy(library, shared_tmp)
        environment["LD_LIBRARY_PATH"] = str(shared_tmp)
    import dataclasses
    moved = dataclasses.replace(any_interpreter, argv=(str(copy),))
    target = start_target(moved, "busy_checksum.py", env=environment)
    for path in shared_tmp.iterdir():
        path.unlink()
    attach_and_leave(spyglass, target)
    target.verify_checksum()


def loaded_libraries(interpreter, start_target):
    target = start_target(interpreter, "busy_checksum.py")
    paths = {line.split(maxsplit=5)[5] for line in target.mappings() if line.count("/")}
    target.finish("stop")
    return paths


def test_two_mappings_of_libpython(any_interpreter, start_target, spyglass, write_program, shared_tmp):
    import shutil
    if any_interpreter.kind == "root" or not any_interpreter.shared:
        pytest.skip("needs a shared libpython that can be copied")
    library = next(path for path in loaded_libraries(any_interpreter, start_target) if "libpython" in path)
    shutil.copy(library, shared_tmp / "libpython-again.so")
    target = start_target(any_interpreter, write_program(f"""
import ctypes, os
ctypes.PyDLL({str(shared_tmp / "libpython-again.so")!r})
os.write(1, b"ready\\n")
os.read(0, 1)
"""))
    attach_and_leave(spyglass, target)
    target.finish()


@pytest.mark.root_only
def test_a_root_without_proc(interpreter, start_target, spyglass, write_program):
    if interpreter.kind != "root":
        pytest.skip("needs a Debian root")
    script = write_program('import os\nos.write(1, b"ready\\n")\nos.read(0, 1)\n')
    inside = f"{interpreter.root}/run/{script.name}"
    with open(inside, "w") as out:
        out.write(script.read_text())
    target = start_target(interpreter, f"/run/{script.name}", bare_root=True)
    attach_and_leave(spyglass, target)
    target.finish()


@pytest.mark.root_only
@pytest.mark.parametrize("isolation", [
    pytest.param(("unshare", "--mount", "--net", "--uts", "--ipc"), id="other-namespaces"),
    pytest.param(("unshare", "--mount", "sh", "-c",
                  'mount -t tmpfs -o ro none /tmp && mount -o remount,bind,ro / && exec "$@"', "sh"),
                 id="read-only-root-without-tmp"),
])
def test_namespaces(interpreter, start_target, spyglass, isolation):
    if interpreter.kind == "root" and "read" in str(isolation):
        pytest.skip("a Debian root is entered with mounts of its own")
    if "/tmp" in str(isolation) and str(pathlib.Path(__file__).resolve()).startswith("/tmp/"):
        pytest.skip("this source tree lies in /tmp itself, which the case hides")
    target = start_target(interpreter, "busy_checksum.py", prefix=isolation)
    attach_and_leave(spyglass, target)
    target.verify_checksum()


@pytest.mark.root_only
def test_another_pid_namespace(interpreter, start_target, spyglass):
    outer = start_target(interpreter, "busy_checksum.py",
                         prefix=("unshare", "--pid", "--fork", "--kill-child", "--mount-proc"))
    child = open(f"/proc/{outer.pid}/task/{outer.pid}/children").read().split()[0]
    outcome = spyglass("-p", child, "-e", "func:__main__.step:start {{ print(1); exit() }}").wait()
    assert outcome.status == 0 and outcome.stdout.startswith("1\n"), outcome.said()
    outer.verify_checksum()


@pytest.mark.root_only
def test_as_an_ordinary_user_on_the_own_process(interpreter, start_target, spyglass, as_user):
    if interpreter.kind == "host" and "/root/" in interpreter.argv[0]:
        pytest.skip("this interpreter is out of an ordinary user's reach")
    target = start_target(interpreter, "busy_checksum.py", user=as_user)
    attach_and_leave(spyglass, target, prefix=as_user.prefix, build=as_user.build)
    attach_and_leave(spyglass, target)  # and root on another user's process
    target.verify_checksum()


# What the program may have done to its own interpreter.


@pytest.mark.parametrize("options", [("-I", "-S"), ("-E", "-s", "-B"), ("-O", "-O")])
def test_interpreter_options(interpreter, start_target, spyglass, write_program, options):
    script = write_program('import os\nos.write(1, b"ready\\n")\nos.read(0, 1)\n')
    target = start_target(interpreter, script, python_options=options)
    attach_and_leave(spyglass, target)
    target.finish()


@pytest.mark.parametrize("line", [
    "sys.path.clear()",
    "sys.meta_path.clear()",
    "import importlib; importlib.import_module = importlib.reload = None",
    "import builtins; builtins.__import__ = None",
    "sys.modules.pop('os'); sys.modules.pop('threading', None)",
    "def hook(event, args):\n    if event.startswith(('ctypes', 'compile', 'exec')): seen.append(event)\n"
    "seen = []; sys.addaudithook(hook)",
    "sys.stdout = sys.stderr = None",
    "import gc; gc.disable(); gc.freeze()",
])
def test_a_program_that_changed_its_interpreter(interpreter, start_target, spyglass, write_program, line):
    target = start_target(interpreter, write_program(
        f'import os, sys\nos.write(1, b"ready\\n")\n{line}\nos.read(0, 1)\n'))
    attach_and_leave(spyglass, target)
    target.finish()


def test_subinterpreters(interpreter, start_target, spyglass, write_program):
    target = start_target(interpreter, write_program("""
import os
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
other = interpreters.create()
def f():
    return 1
os.write(1, b"ready\\n")
os.read(0, 1)
f()
"""))
    session = spyglass("-p", target.pid, "-e", "func:__main__.f:start {{ print(funcname()) }}").wait_installed()
    target.send()
    outcome = session.wait()
    assert outcome.status == 0 and outcome.stdout == "f\n", outcome.said()
    assert target.wait() == 0


def test_the_programs_own_names_stay(trace, interpreter):
    outcome, target = trace(interpreter, """
        x = 1
        def f():
            return x
        ready()
        print(f(), sorted(name for name in globals() if not name.startswith("__")))
    """, "pymontrace::BEGIN {{ x = 42; pymontrace = 1 }} func:f:start {{ x = 42; global_ = 1 }}")
    assert target.stdout.lines()[1:] == ["1 ['f', 'x']"]


# Leaving.


def test_nothing_is_left_behind(interpreter, start_target, spyglass):
    target = start_target(interpreter, "snapshot.py")

    def snapshot():
        target.send("more")
        return json.loads(target.stdout.wait_for("^snapshot ")[len("snapshot "):])

    before, descriptors, threads = snapshot(), target.descriptors(), target.threads()
    for program in ("func:*:start {{ maps.m[qualname()] = agg.count() }} func:*:unwind {{ pass }}",
                    "line::* {{ pass }}", "func:*:return {{ print(elapsed(), stack()) }}"):
        session = spyglass("-p", target.pid, "-e", program).wait_installed()
        snapshot()
        outcome = session.interrupt()
        assert outcome.status == 0, outcome.said()
    assert snapshot() == before
    assert target.descriptors() == descriptors and target.threads() == threads
    target.finish("stop")


def images(target):
    """What could be ours: files, memory files, code. The interpreter's own heap comes and goes."""
    return [line for line in target.mappings() if "/memfd:" in line or "x" in line.split()[1]]


def state_of(target):
    """What the kernel shows of it; a session that has ended has left nothing there."""
    return images(target), sorted(target.descriptors()), target.threads()


@pytest.mark.heavy
def test_attach_and_detach_many_times(interpreter, start_target, spyglass):
    newest = interpreter.minor >= (3, 14)
    cycles = 200 if newest else 60
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    target = start_target(interpreter, "busy_checksum.py")
    settled = None
    for cycle in range(cycles):
        session = spyglass("-p", target.pid, "-e", "func:__main__.step:start {{ vars.n = agg.count() }}")
        session.wait_installed()
        if chance.random() < 0.3:
            target.verify_checksum()
        outcome = session.interrupt()
        assert outcome.status == 0, outcome.said()
        if cycle == cycles // 3:
            settled = state_of(target)
            blocks = target.allocated_blocks()
    assert state_of(target) == settled
    assert abs(target.allocated_blocks() - blocks) < 8  # whatever a session leaves would be there tens of times
    target.verify_checksum()
    target.finish("stop")


def test_killed_tracer(interpreter, start_target, spyglass):
    target = start_target(interpreter, "snapshot.py")
    target.send("more")
    before = json.loads(target.stdout.wait_for("^snapshot ")[len("snapshot "):])
    threads = target.threads()
    session = spyglass("-p", target.pid, "-e", "func:__main__.f:start {{ print('hit') }}").wait_installed()
    session.kill()
    # The agent hears the end of its channel; the next session can only come in when it is gone.
    attach_and_leave(spyglass, target)
    target.send("more")
    assert json.loads(target.stdout.wait_for("^snapshot ")[len("snapshot "):]) == before
    assert target.threads() == threads
    target.finish("stop")


def test_target_that_execs(interpreter, start_target, spyglass, write_program):
    target = start_target(interpreter, write_program("""
import os
os.write(1, b"ready\\n")
os.read(0, 1)
os.execv("/bin/cat", ["cat"])
"""))
    session = spyglass("-p", target.pid, "-e", 'pymontrace::END {{ print("end") }}').wait_installed()
    target.send()
    outcome = session.wait()
    assert outcome.status == 0 and "target" in outcome.stderr.lower(), outcome.said()


@pytest.mark.parametrize("ending", ["os._exit(3)", "os.kill(os.getpid(), 9)", "os.abort()", "sys.exit(3)"])
def test_everything_until_the_last_hit_is_shown(interpreter, start_target, spyglass, write_program, ending):
    target = start_target(interpreter, write_program(f"""
import os, sys
def f(n):
    return n
os.write(1, b"ready\\n")
os.read(0, 1)
for n in range(1000):
    f(n)
{ending}
"""))
    session = spyglass("-p", target.pid, "-e", "func:f:start {{ print(ctx.n); maps.m[0] = agg.count() }}")
    session.wait_installed()
    target.send()
    outcome = session.wait()
    lines = outcome.stdout.splitlines()
    assert lines[:1000] == [str(n) for n in range(1000)], outcome.said()
    assert lines[1000:] == ["m ", "", "  0: 1000"], outcome.said()
    assert outcome.status == 0 and "Target" in outcome.stderr

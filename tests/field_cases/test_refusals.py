# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Refusals: the reason and the remedy, within bounds, and never a puzzle about symbols.

Each entry of the catalogue (src/attach/refusals.cpp) is produced for real where a machine can; NOT_PRODUCED says
which are not, and why.
"""

import os
import pathlib
import re
import signal
import subprocess

import pytest

from support.session import build_folder
from support.target import Target

COUNT = 'pymontrace::BEGIN {{ print("live"); exit() }}'
TREE = pathlib.Path(__file__).resolve().parents[2]
DENY = str(TREE / "tests/support/deny_calls.py")
PTRACE_CALLS = "ptrace,process_vm_readv,process_vm_writev"

STRING = r'"((?:[^"\\]|\\.)*)"'
CATALOGUE = {code: "".join(re.findall(STRING, texts)) for code, texts in re.findall(
    r'\{"([a-z-]+)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\}', (TREE / "src/attach/refusals.cpp").read_text())}
NOT_PRODUCED = {
    "free-threaded": "no free-threaded interpreter can be had from Debian or pyenv without building one",
    "libc": "no CPython without the GNU C library can be had",
    "no-safe-point": "tests/attach/test_states.py, which may choose a strategy and how long to try",
    "target-exited": "tests/torture, at random instants",
}


def attach_and_leave(spyglass, target, **options):
    outcome = spyglass("-p", target.pid, "-e", COUNT, **options).wait()
    assert outcome.status == 0 and outcome.stdout == "live\n", outcome.said()


def refused(spyglass, pid, code, *words, status=1, doctor=True, **options):
    """Both `trace` and `doctor` must refuse with these words and the remedy of the catalogue."""
    said = []
    for arguments in [("-p", pid, "-e", COUNT), *([("doctor", "-p", pid)] if doctor else [])]:
        outcome = spyglass(*arguments, **options).wait(deadline=20)
        assert outcome.status == (1 if arguments[0] == "doctor" else status), outcome.said()
        assert "live" not in outcome.stdout, outcome.said()
        text = outcome.stdout + outcome.stderr
        assert "symbol" not in text.lower() and "traceback" not in text.lower(), outcome.said()
        for word in (*words, CATALOGUE[code]):
            assert word.lower() in text.lower(), f"{word!r} is not in:\n{outcome.said()}"
        said.append(text)
    return said[0]


def reachable(interpreter):
    if interpreter.kind == "host" and "/root/" in interpreter.argv[0]:
        pytest.skip("this interpreter is out of an ordinary user's reach")


# Who may.


@pytest.mark.root_only
def test_another_users_process(interpreter, start_target, spyglass, as_user):
    target = start_target(interpreter, "busy_checksum.py")
    refused(spyglass, target.pid, "other-user", "belongs to user 0", prefix=as_user.prefix, build=as_user.build)
    target.verify_checksum()


@pytest.mark.root_only
def test_root_without_the_capability(interpreter, start_target, spyglass, as_user):
    reachable(interpreter)
    target = start_target(interpreter, "busy_checksum.py", user=as_user)
    without = ("setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace", "--")
    refused(spyglass, target.pid, "no-capability", "CAP_SYS_PTRACE", prefix=without)
    target.verify_checksum()


@pytest.mark.root_only
def test_protected_from_its_own_user(interpreter, start_target, spyglass, as_user, write_program):
    reachable(interpreter)
    script = write_program("import ctypes, os\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n"  # PR_SET_DUMPABLE
                           'os.write(1, b"ready\\n")\nos.read(0, 1)\n')
    target = start_target(interpreter, script, user=as_user)
    refused(spyglass, target.pid, "not-dumpable", "protected", prefix=as_user.prefix, build=as_user.build)
    attach_and_leave(spyglass, target)  # root may
    target.finish()


@pytest.mark.root_only
@pytest.mark.parametrize("scope, code", [("1", "ptrace-scope"), ("2", "ptrace-scope"), ("3", "ptrace-disabled")])
def test_ptrace_scope(interpreter, start_target, spyglass, as_user, scope, code):
    # Many kernels are built without Yama: its file is put in its place, and for scope 1 its refusal, too.
    reachable(interpreter)
    target = start_target(interpreter, "busy_checksum.py", user=as_user)
    pretend = (f"mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && "
               f'echo {scope} > /proc/sys/kernel/yama/ptrace_scope && exec "$@"')
    deny = ("/usr/bin/python3", DENY, PTRACE_CALLS) if scope == "1" else ()
    refused(spyglass, target.pid, code, prefix=("unshare", "--mount", "sh", "-c", pretend, "sh", *as_user.prefix, *deny),
            build=as_user.build)
    target.verify_checksum()


def test_seccomp_denies(interpreter, start_target, spyglass):
    target = start_target(interpreter, "busy_checksum.py")
    refused(spyglass, target.pid, "permission", "seccomp", prefix=("/usr/bin/python3", DENY, PTRACE_CALLS))
    target.verify_checksum()


# Others who look.


def test_traced_by_a_debugger(interpreter, start_target, spyglass):
    target = start_target(interpreter, "busy_checksum.py")
    tracer = start_target(interpreter, "holds_ptrace.py", target.pid)
    refused(spyglass, target.pid, "already-debugged", "traced by", str(tracer.pid))
    tracer.finish()
    attach_and_leave(spyglass, target)
    target.verify_checksum()


def test_traced_by_another_session(interpreter, start_target, spyglass):
    target = start_target(interpreter, "busy_checksum.py")
    first = spyglass("-p", target.pid, "-e", "func:__main__.step:start {{ vars.n = agg.count() }}"
                     "pymontrace::END {{ print(vars.n > 0) }}").wait_installed()
    refused(spyglass, target.pid, "already-traced", "another spyglass", doctor=False)
    target.verify_checksum()
    outcome = first.interrupt()
    assert outcome.status == 0 and outcome.stdout == "True\n", outcome.said()
    target.verify_checksum()


# What is no such process.


def test_no_such_process(spyglass):
    refused(spyglass, 999999, "no-such-process", "there is no process 999999", status=2)
    for pid in ("0", "-5", "abc", "", "1e3"):
        outcome = spyglass("-p", pid, "-e", COUNT).wait()
        assert outcome.status == 2 and outcome.stdout == "" and outcome.stderr != "", (pid, outcome.said())


def test_a_thread_of_a_process(interpreter, start_target, spyglass):
    target = start_target(interpreter, "busy_threads.py", 2)
    refused(spyglass, target.threads()[-1], "not-a-leader", f"a thread of process {target.pid}")
    target.finish()


def test_a_zombie(spyglass):
    ended = subprocess.Popen(["true"])
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    refused(spyglass, ended.pid, "zombie", "has ended already")
    ended.wait()


def test_not_python_lists_python_descendants(interpreter, start_target, spyglass):
    shell = start_target(interpreter, "busy_checksum.py", prefix=("sh", "-c", '"$@"; :', "sh"))
    said = refused(spyglass, shell.pid, "not-python", "is not a Python process", "Python descendants")
    children = open(f"/proc/{shell.pid}/task/{shell.pid}/children").read().split()
    assert any(child in said for child in children), said


def test_a_program_for_another_processor(spyglass, shared_tmp):
    source = shared_tmp / "pause.s"
    source.write_text(".globl _start\n_start: mov $29, %eax\nint $0x80\njmp _start\n")
    subprocess.run(["as", "--32", "-o", shared_tmp / "pause.o", source], check=True)
    subprocess.run(["ld", "-m", "elf_i386", "-o", shared_tmp / "pause", shared_tmp / "pause.o"], check=True)
    try:
        program = subprocess.Popen([shared_tmp / "pause"])
    except OSError as error:
        pytest.skip(f"this kernel runs no 32-bit programs: {error}")
    try:
        refused(spyglass, program.pid, "architecture", "32-bit")
    finally:
        program.kill()
        program.wait()


@pytest.mark.parametrize("version", ["2.7", "3.6", "3.7"])
def test_an_interpreter_that_is_too_old(spyglass, write_program, version):
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"))
    found = sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))
    if not found:
        pytest.skip(f"no CPython {version} on this machine")
    script = write_program('import os\nos.write(1, b"ready\\n")\nos.read(0, 1)\n')
    program = subprocess.Popen([found[0], script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert program.stdout.readline() == b"ready\n"
        refused(spyglass, program.pid, "python-version", f"CPython {version}")
        listed = spyglass("ps").wait().stdout
        assert re.search(rf"^ *{program.pid} +{version}\.\d+ .*\n +cannot be attached: .*CPython {version}", listed, re.M), listed
    finally:
        program.kill()
        program.communicate()


# States.


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGTSTP])
def test_a_stopped_target(interpreter, start_target, spyglass, number):
    target = start_target(interpreter, "busy_checksum.py")
    target.signal(number)
    os.waitid(os.P_PID, target.pid, os.WSTOPPED | os.WNOWAIT)
    refused(spyglass, target.pid, "stopped", "is stopped")
    assert target.state() == "T"
    target.signal(signal.SIGCONT)
    target.verify_checksum()
    attach_and_leave(spyglass, target)


HOST = r"""
#include <Python.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char** argv) {
    char byte;
    if (argc > 1) Py_InitializeEx(0);
    if (argc > 1) PyRun_SimpleString("def f(): return 1");
    puts("ready"); fflush(stdout);
    for (;;) {
        PyThreadState* state = argc > 1 ? PyEval_SaveThread() : NULL;
        int more = read(0, &byte, 1) == 1;
        if (state) PyEval_RestoreThread(state);
        if (!more) return 0;
        if (argc > 1) PyRun_SimpleString("f()");
    }
}
"""


@pytest.fixture(scope="session")
def host_program(tmp_path_factory):
    """A program of C that links the system's libpython; it initialises it when it has an argument."""
    folder = tmp_path_factory.mktemp("host")
    (folder / "host.c").write_text(HOST)
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "python3-embed"], capture_output=True, text=True,
                           check=True).stdout.split()
    subprocess.run(["cc", "-o", folder / "host", folder / "host.c", *flags], check=True)
    return folder / "host"


def test_an_interpreter_that_has_not_begun(spyglass, host_program):
    program = subprocess.Popen([host_program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert program.stdout.readline() == b"ready\n"
        refused(spyglass, program.pid, "not-initialised", "starting or ending")
    finally:
        program.communicate()
    assert program.returncode == 0


def test_a_host_program_that_embeds_python(spyglass, host_program):
    program = subprocess.Popen([host_program, "begin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert program.stdout.readline() == b"ready\n"
        session = spyglass("-p", program.pid, "-e", "func:f:start {{ print(qualname()) }}").wait_installed()
        program.stdin.write(b"x")
        program.stdin.flush()
        assert session.stdout.wait_for("f") == "__main__.f"
        outcome = session.interrupt()
        assert outcome.status == 0, outcome.said()
    finally:
        program.communicate()
    assert program.returncode == 0


# What the target is not allowed to do, and we would need of it.


@pytest.mark.parametrize("call, reason", [("memfd_create", "memory file"), ("socketpair", "socket pair"),
                                          ("clone,clone3", "thread")])
@pytest.mark.parametrize("situation", ["loop", "sleep"])
def test_the_targets_own_filter(interpreter, start_target, spyglass, call, reason, situation):
    if interpreter.kind == "root" and "clone" in call:
        pytest.skip("a Debian root is entered by a shell that must fork")
    target = start_target(interpreter, "situations.py", situation, prefix=("/usr/bin/python3", DENY, call))
    if situation == "sleep":
        target.wait_until_asleep()
    if interpreter.minor >= (3, 14) and situation == "loop" and call == "memfd_create":
        attach_and_leave(spyglass, target)  # by request the target needs none
    else:
        refused(spyglass, target.pid, "load-failed", reason, doctor=False)
    assert target.running() and target.stderr.text() == ""


LIMITED = """
import os, resource, select
{limit}
os.write(1, b"ready\\n")
while {loop} and not select.select([0], [], [], 0)[0]:
    pass
os.read(0, 1)
resource.setrlimit(resource.{name}, (hard, hard))
"""


@pytest.mark.parametrize("situation", ["loop", "sleep"])
@pytest.mark.parametrize("name, amount, reason", [
    ("RLIMIT_NOFILE", "max(map(int, os.listdir('/proc/self/fd')))", "memory file"),
    ("RLIMIT_AS", "int(open('/proc/self/statm').read().split()[0]) * 4096 + 65536", "memory"),
])
def test_the_targets_own_limits(interpreter, start_target, spyglass, write_program, name, amount, reason, situation):
    limit = (f"soft, hard = resource.getrlimit(resource.{name})\n"
             f"resource.setrlimit(resource.{name}, ({amount}, hard))")
    target = start_target(interpreter, write_program(LIMITED.format(limit=limit, name=name, loop=situation == "loop")))
    if situation == "sleep":
        target.wait_until_asleep()
    refused(spyglass, target.pid, "load-failed", reason, doctor=False)
    target.finish()


def test_every_refusal_is_produced():
    text = pathlib.Path(__file__).read_text()
    assert CATALOGUE and not NOT_PRODUCED.keys() - CATALOGUE.keys()
    for code in CATALOGUE:
        assert f'"{code}"' in text, f"no test produces the refusal {code}"

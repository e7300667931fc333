# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Every example of the reference's document, word for word, through both names of the command.

The examples are shell text with the dummy process 1234, exactly as users know them. Only that number,
and the name of the command, are put in.
"""

import pathlib
import re
import shlex

import pytest

from support.session import build_folder

TARGETS = pathlib.Path(__file__).parent / "targets"


@pytest.fixture(params=["pymontrace", "spyglass"])
def name(request):
    return request.param


@pytest.fixture
def example(spyglass, name):
    """example(text, pid) -> running Session of the shell text."""

    def start(text, pid=None, **kwargs):
        words = shlex.split(text)
        assert words[0] == "pymontrace"
        words = [str(pid) if word == "1234" else word for word in words[1:]]
        return spyglass(*words, name=name, **kwargs)

    return start


@pytest.fixture
def service(start_target, interpreter):
    return start_target(interpreter, TARGETS / "service.py")


def do_round(service):
    service.send("round")
    service.stdout.wait_for("^round done$")


def listed(example, text, service):
    outcome = example(text, service.pid).wait()
    assert outcome.status == 0, outcome.said()
    service.finish("stop")
    return outcome.stdout.splitlines()


def traced(example, text, service, rounds=1):
    session = example(text, service.pid).wait_installed()
    for _ in range(rounds):
        do_round(service)
    outcome = session.interrupt()
    assert outcome.status == 0, outcome.said()
    assert "Removing probes..." in outcome.stderr
    do_round(service)
    service.finish("stop")
    return outcome


def test_list_functions(example, service):
    lines = listed(example, "pymontrace -p 1234 -l 'func:*:start'", service)
    assert "func:mymodule.myfunc:start" in lines and "func:mymodule.Thing.method:start" in lines
    assert "func:__main__.g:start" in lines
    assert all(line.endswith(":start") for line in lines) and lines == sorted(lines)


def test_list_sites_of_a_module(example, service):
    lines = listed(example, "pymontrace -p 1234 -l 'func:mymodule.*:'", service)
    assert {line.split(":")[2] for line in lines if ":mymodule.numbers:" in line} == {
        "start", "yield", "resume", "return", "unwind"}
    assert {line.split(":")[2] for line in lines if ":mymodule.myfunc:" in line} == {"start", "return", "unwind"}
    assert all(line.startswith("func:mymodule.") for line in lines)


def test_list_lines(example, service):
    lines = listed(example, "pymontrace -p 1234 -l 'line:'", service)
    assert len(lines) > 1000 and all(re.match(r"line:.+:\d+ ?", line) for line in lines)
    path = TARGETS / "mymodule.py"
    for number, source in enumerate(path.read_text().splitlines(), 1):
        assert any(line.endswith(f"mymodule.py:{number} {source}") for line in lines), (number, source)


def test_list_first_lines(example, service):
    lines = listed(example, "pymontrace -p 1234 -l 'line::1'", service)
    assert any("mymodule.py:1 " in line for line in lines)
    assert all(re.match(r"line:[^:]+:1 ?", line) for line in lines)


def test_list_lines_of_contextlib(example, service):
    lines = listed(example, "pymontrace -p 1234 -l 'line:*/contextlib.py:'", service)
    assert len(lines) > 100 and all("/contextlib.py:" in line for line in lines)


def test_every_call(example, service):
    outcome = traced(example, "pymontrace -p 1234 -e 'func:*:start {{ print(qualname()) }}'", service)
    lines = [line for line in outcome.stdout.splitlines() if line.startswith(("__main__.", "mymodule."))]
    assert lines == ["__main__.one_round", "__main__.scope"] + ["mymodule.myfunc", "mymodule.helper"] * 3 + [
        "mymodule.Thing.method", "mymodule.numbers", "__main__.g"]


def test_entry_and_exit_of_a_module(example, service):
    outcome = traced(example, """pymontrace -p 1234 -e '
func:mymodule.*:start {{ print("->", funcname(), args()) }}
func:mymodule.*:return {{ print("<-", funcname()) }}
'""", service)
    expected = []
    for value in (3, 17, 5):
        expected += [f"-> myfunc {{'value': {value}, 'other': 'o'}}", f"-> helper {{'value': {value}}}", "<- helper",
                     "<- myfunc"]
    assert outcome.stdout.splitlines()[:12] == expected
    assert re.match(r"-> method \{'self': <mymodule\.Thing object at 0x[0-9a-f]+>, 'n': 1\}",
                    outcome.stdout.splitlines()[12])
    assert outcome.stdout.splitlines()[13:] == ["<- method", "-> numbers {}", "<- numbers"]


def test_count_calls(example, service):
    outcome = traced(example, "pymontrace -p 1234 -e 'func:*:start {{ maps.calls[qualname()] = agg.count() }}'",
                     service, rounds=4)
    assert outcome.stdout.startswith("calls \n\n")
    counts = dict(re.findall(r"^  (\S+) *: +(\d+)$", outcome.stdout, re.M))
    assert counts["mymodule.myfunc"] == "12" and counts["__main__.g"] == "4"
    values = [int(value) for value in counts.values()]
    assert values == sorted(values)


def test_minimum_and_maximum(example, service):
    outcome = traced(example, """pymontrace -p 1234 -e '
func:mymodule.myfunc:start {{
    arg0 = next(iter(args().values()))
    vars.maxval = agg.max(arg0)
    vars.minval = agg.min(arg0)
}}
pymontrace::END {{
    print("max =", vars.maxval)
    print("min =", vars.minval)
}}
'""", service)
    assert outcome.stdout == "max = 17\nmin = 3\n"


def test_histogram_of_durations(example, service):
    outcome = traced(example, """pymontrace -p 1234 -e '
pymontrace::BEGIN {{
    import time
    import threading
    vars.monotime = time.monotonic_ns
    vars.threads = {}
    vars.get_ident = threading.get_ident
}}

func:__main__.g:start {{
  vars.threads[vars.get_ident()] = vars.monotime()
}}

func:__main__.g:return {{
    end = vars.monotime()
    i = vars.get_ident()
    if (start := vars.threads.pop(i, 0)) != 0:
        maps.calls[i] = agg.quantize((end - start) / 1000 / 1000)
}}
'""", service, rounds=7)
    lines = outcome.stdout.splitlines()
    assert lines[0] == "calls " and lines[1] == "" and re.fullmatch(r"  \d+:", lines[2])
    assert lines[3] == "               value  ------------- Distribution ------------- count"
    rows = [re.fullmatch(r" *(-?\d+) \|(@*) *? (\d+)", line) for line in lines[4:]]
    assert all(rows) and sum(int(row[3]) for row in rows) == 7
    assert rows[0][3] == "0" and rows[-1][3] == "0"


def test_execution_flow_of_a_script(example, interpreter):
    session = example("""pymontrace -c 'myscript.py 1 7' -e '

pymontrace::BEGIN {{
    vars.prefix = ""
}}

func:__main__.*:start {{
    print(vars.prefix, "->", funcname())
    vars.prefix += "  "
}}

func:__main__.*:return {{
    vars.prefix = vars.prefix[:-2]
    print(vars.prefix, "<-", funcname())
}}
func:__main__.*:unwind {{
    vars.prefix = vars.prefix[:-2]
    print(vars.prefix, "<*", funcname())
}}
'""", cwd=TARGETS, env={"PATH": f"{interpreter.path_folder()}:/usr/sbin:/usr/bin:/sbin:/bin"})
    outcome = session.wait()
    assert outcome.stdout.splitlines() == [
        " -> <module>", "   -> main", "     -> f", "       -> g", "       <- g", "       -> g", "       <- g",
        "       -> g", "       <* g", "     <* f", "   <* main", " <* <module>"], outcome.said()
    assert outcome.status == 130
    assert "Probes installed." in outcome.stderr


def run_program(spyglass, name, target, program):
    session = spyglass("-p", target.pid, "-e", program, name=name).wait_installed()
    target.send()
    target.expect_clean_end()
    outcome = session.wait()
    assert outcome.status == 0 and "Probe action failed" not in outcome.stderr, outcome.said()
    return outcome.stdout


def test_line_program(spyglass, name, start_target, interpreter):
    target = start_target(interpreter, TARGETS / "some-file.py")
    assert run_program(spyglass, name, target, """
line:*/some-file.py:123 {{
    print("a =", ctx.a)
    if b is not None:
        vars.b = agg.count()
}}

pymontrace::END {{
    print("b =", vars.b)
}}
""") == "a = 1\na = 2\na = 3\nb = 2\n"


def test_begin_looks_and_ends(spyglass, name, service):
    outcome = spyglass("-p", service.pid, "-e", "pymontrace::BEGIN {{ import gc; print(gc.get_stats()); exit() }}",
                       name=name).wait()
    assert outcome.status == 0, outcome.said()
    assert re.fullmatch(r"\[\{'collections': \d+, .*\}\]\n", outcome.stdout)
    service.finish("stop")


def test_import_in_begin(spyglass, name, start_target, interpreter):
    target = start_target(interpreter, TARGETS / "decode/target.py")
    assert run_program(spyglass, name, target, """
pymontrace::BEGIN {{
    import base64
    vars.b64decode = base64.b64decode
}}

line:*/target.py:123 {{
    print(vars.b64decode(some_base64_encoded_value))
}}
""") == "b'spyglass'\n"


def test_line_of_an_endless_loop(spyglass, name, start_target, interpreter, write_program):
    text = """import time         # 1
                    # 2
while True:         # 3
    time.sleep(1)   # 4
"""
    # The program says nothing itself, so the interpreter's start says `ready`.
    folder = write_program('import os\nos.write(1, b"ready\\n")\n', "start/sitecustomize.py").parent
    target = start_target(interpreter, write_program(text, "target.py"), env={"PYTHONPATH": str(folder)})
    session = spyglass("-p", target.pid, "-e", "line:*/target.py:4 {{ ... }}\nline:*/target.py:4 {{ print('here') }}",
                       name=name)
    session.stdout.wait_for("^here$")
    outcome = session.interrupt()
    assert outcome.status == 0, outcome.said()
    assert target.running()


def test_qualified_paths(spyglass, name, start_target, interpreter):
    target = start_target(interpreter, TARGETS / "qpaths.py")
    assert run_program(spyglass, name, target, """
func:helpers.helpful.Helper.help:start {{ print("one", qualname()) }}
func:helpers.helpful.make_helper:start {{ print("two", qualname()) }}
func:helpers.helpful.make_helper.<locals>.Elf.help:start {{ print("three", qualname()) }}
func:requests.client.exceptions.ClientException.__init__:start {{ print("four", qualname()) }}
func:requests.exceptions.ClientException.__init__:start {{ print("never") }}
""").splitlines() == [
        "one helpers.helpful.Helper.help", "two helpers.helpful.make_helper",
        "three helpers.helpful.make_helper.<locals>.Elf.help",
        "four requests.client.exceptions.ClientException.__init__"]


def test_probe_sites(spyglass, name, start_target, interpreter):
    target = start_target(interpreter, TARGETS / "sites.py")
    program = "\n".join(f'func:__main__.{what}:{site} {{{{ print("{what}", "{site}") }}}}'
                        for what in ("example", "coro") for site in ("start", "yield", "resume", "unwind", "return"))
    sites = ["start", "yield", "resume"]
    assert run_program(spyglass, name, target, program).splitlines() == [
        f"{what} {site}" for what, ends in (("example", "return"), ("example", "unwind"), ("coro", "return"))
        for site in [*sites, ends]]


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(run_spyglass, name, option):
    outcome = run_spyglass(option, name=name)
    assert outcome.status == 0 and outcome.stderr == ""
    for word in ("-p", "-c", "-e", "-l", "-f", "--version", name):
        assert word in outcome.stdout


def test_version(run_spyglass, name):
    outcome = run_spyglass("--version", name=name)
    assert outcome.status == 0 and outcome.stderr == "" and re.fullmatch(r"\S*\d+\.\d+\.\d+\S*\n", outcome.stdout)


def test_both_names_are_one_program():
    assert (build_folder() / "pymontrace").resolve() == (build_folder() / "spyglass").resolve()

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Values and names: objects that misbehave when looked at, actions that misbehave, odd keys, much text."""

import pytest

HOSTILE = """
import time
class Hostile:
    def __init__(self, how): self.how = how
    def __repr__(self):
        if self.how == "raises": raise RuntimeError("no repr")
        if self.how == "recurses": return repr(self)
        if self.how == "changes": touched.append(1); return "changed"
        if self.how == "prints": print("from repr", flush=True); return "printed"
        if self.how == "number": return 5
        if self.how == "exits": raise SystemExit(4)
        return "fine"
    __str__ = __repr__
touched = []
def f(value):
    return "undisturbed"
"""


@pytest.mark.parametrize("how, ok", [("raises", False), ("recurses", False), ("changes", True), ("prints", True),
                                     ("number", False), ("exits", False)])
def test_representations_that_misbehave(trace, interpreter, how, ok):
    outcome, target = trace(interpreter, HOSTILE + f"""
ready()
print(f(Hostile({how!r})))
print(f(Hostile("fine")))
""", "func:f:start {{ print('value', ctx.value) }} func:f:return {{ print(retval()) }}")
    lines = outcome.stdout.splitlines()
    assert lines[-2:] == ["value fine", "undisturbed"] and lines.count("undisturbed") == 2, outcome.said()
    assert ("Probe action failed" in outcome.stderr) == (not ok)
    assert [line for line in target.stdout.lines() if line == "undisturbed"] == ["undisturbed"] * 2
    assert outcome.status == 0


def test_a_representation_that_takes_minutes(trace, interpreter):
    outcome, target = trace(interpreter, """
        class Slow:
            def __repr__(self):
                while True: pass
        def f(value): return 1
        ready()
        f(Slow())
        print("on")
    """, "func:f:start {{ print(ctx.value) }}", "--action-timeout", "200ms")
    assert target.stdout.lines()[1] == "on" and "func:f:start" in outcome.stderr, outcome.said()


@pytest.mark.heavy
def test_a_string_of_a_gigabyte(trace, interpreter):
    outcome, target = trace(interpreter, """
        def f(value): return 1
        big = "x" * 2 ** 30
        ready()
        f(big)
        print("on", len(big) == 2 ** 30)
    """, "func:f:start {{ print(ctx.value) }}")
    assert target.stdout.lines()[1] == "on True"
    assert outcome.status == 0 and len(outcome.stdout) < 4 * 2 ** 20 and "more characters" in outcome.stdout[-200:], outcome.stderr


def test_containers_that_hold_themselves(trace, interpreter):
    outcome, _ = trace(interpreter, """
        def f(value): return 1
        a = [1]; a.append(a)
        d = {}; d["d"] = d
        deep = []
        for _ in range(100000): deep = [deep]
        ready()
        f(a); f(d); f(deep)
        print("on")
        while deep: deep = deep[0]
    """, "func:f:start {{ print(ctx.value) }}")
    assert outcome.stdout.splitlines()[:2] == ["[1, [...]]", "{'d': {...}}"], outcome.said()
    assert outcome.status == 0


def test_odd_names_and_paths(trace, interpreter):
    outcome, _ = trace(interpreter, r'''
        names = {"__name__": "od\"d\nmodule"}
        exec(compile("def f(): return 1", "pa\"th\n\udcff.py", "exec"), names)
        f = names["f"]
        def g(): pass
        g.__code__ = g.__code__.replace(co_name="n" * 100000)
        def h(ż, 日本=1): return ż
        ready()
        f(); g(); h(1)
    ''', "func:*:start / funcname() == 'f' / {{ maps.m[qualname()] = agg.count(); print(stack(1)) }}"
         " func:*:start / len(funcname()) > 99999 / {{ print(len(funcname())) }}"
         " func:__main__.h:start {{ print(args(), ctx.ż, 日本) }}")
    lines = outcome.stdout.splitlines()
    assert "100000" in lines and "{'ż': 1, '日本': 1} 1 1" in lines, outcome.said()
    assert outcome.status == 0 and "failed" not in outcome.stderr


def test_a_deleted_working_directory(trace, interpreter, shared_tmp):
    outcome, _ = trace(interpreter, """
        import os, tempfile
        folder = tempfile.mkdtemp(dir="/tmp"); os.chdir(folder); os.rmdir(folder)
        def f():
            return 1
        exec(compile("def e():\\n    return 2", "", "exec"))
        ready()
        f(); e()
    """, "line:relative.py:2 {{ print('never') }} line:*program.py:4 {{ print('line') }} line::2 {{ vars.n = agg.count() }}")
    assert outcome.stdout == "line\n" and outcome.status == 0, outcome.said()


@pytest.mark.parametrize("action, words", [
    ("raise SystemExit(3)", "SystemExit"),
    ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ("import sys; sys.exit('bye')", "SystemExit"),
    ("raise BaseException('b')", "BaseException"),
    ("class E(Exception):\n    def __str__(self): raise OSError(1)\nraise E", "E"),
    ("def down(): down()\ndown()", "RecursionError"),
    ("exec('x = = 1')", "SyntaxError"),
])
def test_actions_that_raise_anything(trace, interpreter, action, words):
    indented = action.replace("\n", "\n    ")
    outcome, target = trace(interpreter, """
        def f(): return 1
        ready()
        print([f() for _ in range(50)] == [1] * 50)
    """, "func:f:start {{\n    " + indented + "\n}}\nfunc:f:start {{ vars.later = agg.count() }}"
         "\npymontrace::END {{ print(vars.later) }}")
    assert target.stdout.lines()[1] == "True"
    assert outcome.stdout == "50\n" and words in outcome.stderr and outcome.status == 0, outcome.said()


@pytest.mark.parametrize("action", [
    "import threading; t = threading.Thread(target=print, args=('x',)); t.start(); t.join()",
    "import sys; sys.modules.pop('sys', None)",
    "ctx.globals.__dict__",
    "import gc; gc.collect()",
    "import sys; sys.settrace(None)",
    "import warnings; warnings.warn('w')",
    "del vars.absent",
])
def test_actions_that_do_what_they_should_not(trace, interpreter, action):
    outcome, target = trace(interpreter, """
        def f(): return 1
        ready()
        print(f(), f())
    """, "func:f:start {{ " + action + " }} func:f:return {{ print('after') }}", clean=False)
    assert target.stdout.lines()[-1] == "1 1"
    assert outcome.stdout.splitlines().count("after") == 2 and outcome.status == 0, outcome.said()


def test_an_action_that_forks(trace, interpreter):
    outcome, target = trace(interpreter, """
        def f(): return 1
        ready()
        print(f())
    """, """func:f:start {{
        import os
        child = os.fork()
        if child == 0: os._exit(0)
        print("child ended with", os.waitpid(child, 0)[1])
    }}""", clean=False)
    assert target.stdout.lines()[-1] == "1" and "child ended with 0" in outcome.stdout, outcome.said()


def test_a_target_that_forks(trace, interpreter):
    outcome, target = trace(interpreter, """
        import os
        def f(n): return n
        ready()
        f(1)
        child = os.fork()
        f(2)
        if child == 0: os._exit(0)
        print(os.waitpid(child, 0)[1])
        f(3)
    """, "func:f:start {{ print(ctx.n) }}", clean=False)
    assert outcome.stdout == "1\n2\n3\n" and target.stdout.lines()[-1] == "0", outcome.said()
    assert outcome.status == 0 and "not traced" in outcome.stderr


def test_keys_of_every_kind(trace, interpreter):
    outcome, target = trace(interpreter, """
        class Odd:
            def __init__(self, n): self.n = n
            def __eq__(self, other): raise RuntimeError("eq")
            def __hash__(self): return 7
            def __repr__(self): return f"Odd({self.n})"
        class Liar:
            def __hash__(self): raise TypeError("no hash")
        def f(key): return 1
        mutable = [1]
        class Changes:
            def __repr__(self): return f"Changes({mutable[0]})"
        changes = Changes()
        nan = float("nan")
        ready()
        for key in (nan, nan, 10 ** 400, b"b", (1, ("x", nan)), changes, frozenset([1]), True, "k" * 100000):
            f(key)
        mutable[0] = 2
        f(changes)
        f(Odd(1)); f(Odd(2)); f(Liar()); f([])
        print("on")
    """, "func:f:start {{ maps.m[ctx.key] = agg.count() }}")
    assert target.stdout.lines()[1] == "on"
    out = outcome.stdout
    # Three keys cannot be used: Odd(2) is compared with Odd(1), Liar has no hash, a list neither.
    assert outcome.status == 0 and "RuntimeError: eq" in outcome.stderr, outcome.said()
    assert "repeated 2 times" in outcome.stderr, outcome.said()
    assert str(10 ** 400)[:50] in out and "Changes(1)" in out and "Changes(2)" not in out
    assert "b'b'" in out and "(1, ('x', nan))" in out and "frozenset({1})" in out and "Odd(1)" in out


def test_seventy_thousand_characters(trace, interpreter):
    outcome, _ = trace(interpreter, """
        def f(n): return n
        ready()
        for n in range(100): f(n)
    """, "func:f:start {{ print(ctx.n, 'x' * 70000) }}")
    assert outcome.stdout.splitlines() == [f"{n} {'x' * 70000}" for n in range(100)]


@pytest.mark.heavy
def test_a_million_prints_in_a_burst(trace, interpreter):
    outcome, _ = trace(interpreter, """
        import threading
        def f(who, n): return n
        ready()
        def run(who):
            for n in range(250000): f(who, n)
        threads = [threading.Thread(target=run, args=(who,)) for who in range(4)]
        for t in threads: t.start()
        for t in threads: t.join()
    """, "func:f:start {{ print(ctx.who, ctx.n) }}")
    lines = outcome.stdout.splitlines()
    import re
    told = re.search(r"([\d,]+) .*lost", outcome.stderr)
    lost = int(told.group(1).replace(",", "")) if told else 0
    assert len(lines) + lost == 1_000_000, (len(lines), outcome.stderr)
    latest = {}
    for line in lines:
        who, number = line.split()
        assert latest.get(who, -1) < int(number), line
        latest[who] = int(number)

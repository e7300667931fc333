# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""A signal that arrives while an action runs is the program's: its handler runs, and what it raises arrives.

The action sends the signal itself, so that it arrives there and nowhere else.
"""

import pytest

SOURCE = """
    import signal
    handled = []
    class Late(Exception):
        pass
    def late(*_):
        handled.append("late")
        raise Late("too late")
    class Deadline:
        def method(self, *_):
            late()
        __call__ = method
    def quiet(*_):
        handled.append("quiet")
    signal.signal(signal.SIGALRM, {handler})
    def f():
        x = 1
        return x
    def raises():
        raise ValueError("its own")
    def steps():
        yield 1
    def cleans_up():
        try:
            yield 1
        finally:
            handled.append("finally")
    def call(function):
        try:
            function()
        except (Late, KeyboardInterrupt) as error:
            print("arrived:", type(error).__name__, *error.args)
        except ValueError:
            print("its own")
        else:
            print("nothing")
    def run():
        for step in {generator}():
            pass
    ready()
    call(f)
    call(raises)
    call(run)
    print(handled)
    call(f)
"""

LINE = "line:*/program.py:%d" % (SOURCE.strip("\n").splitlines().index("        return x") + 1)
IN_F = ["func:__main__.f:start", "func:__main__.f:return", LINE]


def program(spec, number):
    return """
pymontrace::BEGIN {{ vars.sent = 0 }}
%s {{
    maps.hits[0] = agg.count()
    if not vars.sent:
        vars.sent = 1
        import os
        os.kill(os.getpid(), %d)
        for _ in range(10000):
            pass
        print("the action went on")
}}
pymontrace::END {{ print("end", vars.sent) }}
""" % (spec, number)


def traced(trace, interpreter, spec, handler, number=14, generator="steps"):
    outcome, target = trace(interpreter, SOURCE.format(handler=handler, generator=generator), program(spec, number))
    assert outcome.status == 0 and "failed" not in outcome.stderr, outcome.said()
    said = target.stdout.lines()
    assert said[0] == "ready"
    return outcome, said[1:]


@pytest.mark.parametrize("handler", ["late", "Deadline().method", "Deadline()"])
@pytest.mark.parametrize("spec", IN_F)
def test_what_the_handler_raises_arrives(trace, interpreter, handler, spec):
    outcome, said = traced(trace, interpreter, spec, handler)
    assert said == ["arrived: Late too late", "its own", "nothing", "['late']", "nothing"]
    assert "the action went on" not in outcome.stdout and "end 1" in outcome.stdout
    assert outcome.stdout.splitlines()[-1].strip() == "0: 2", outcome.said()


@pytest.mark.parametrize("spec, expected", [
    ("func:raises:unwind", ["nothing", "arrived: Late too late", "nothing"]),
    ("func:steps:yield", ["nothing", "its own", "arrived: Late too late"]),
    ("func:steps:resume", ["nothing", "its own", "arrived: Late too late"]),
])
def test_at_every_site(trace, interpreter, spec, expected):
    _, said = traced(trace, interpreter, spec, "late")
    assert said == [*expected, "['late']", "nothing"]


def test_a_resumed_generator_cleans_up(trace, interpreter):
    _, said = traced(trace, interpreter, "func:cleans_up:resume", "late", generator="cleans_up")
    assert said == ["nothing", "its own", "arrived: Late too late", "['late', 'finally']", "nothing"]


@pytest.mark.parametrize("spec", IN_F)
def test_the_default_interrupt_arrives(trace, interpreter, spec):
    _, said = traced(trace, interpreter, spec, "late", number=2)
    assert said == ["arrived: KeyboardInterrupt", "its own", "nothing", "[]", "nothing"]


def test_a_handler_that_raises_nothing_disturbs_nothing(trace, interpreter):
    outcome, said = traced(trace, interpreter, "func:__main__.f:start", "quiet")
    assert said == ["nothing", "its own", "nothing", "['quiet']", "nothing"]
    assert "the action went on" in outcome.stdout


def test_what_the_action_raises_itself_stays_in_it(trace, interpreter):
    outcome, target = trace(interpreter, SOURCE.format(handler="late", generator="steps"),
                            "func:__main__.f:start {{ raise KeyboardInterrupt }}")
    assert target.stdout.lines()[1:] == ["nothing", "its own", "nothing", "[]", "nothing"]
    assert "KeyboardInterrupt" in outcome.stderr

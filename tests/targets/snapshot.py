# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: a program that can say what a tracer might have left in it.

For each line on standard input it calls `f`, and prints `snapshot JSON`; on `stop` it ends.
"""

import atexit
import builtins
import json
import os
import signal
import sys
import threading


def f():
    return 1


def snapshot():
    monitoring = getattr(sys, "monitoring", None)
    seen = {
        "modules": sorted(sys.modules),
        "main": sorted(sys.modules["__main__"].__dict__),
        "builtins": sorted(vars(builtins)),
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "trace": [repr(sys.gettrace()), repr(sys.getprofile())],
        "handlers": [repr(signal.getsignal(n)) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)],
        # Before 3.14 a callback that was taken back leaves an empty slot, which is counted.
        "atexit": atexit._ncallbacks() if sys.version_info >= (3, 14) else None,
        "path": sys.path,
        "recursion": sys.getrecursionlimit(),
        "hooks": [repr(sys.excepthook), repr(sys.displayhook), repr(threading.excepthook)],
        "exception": repr(sys.exc_info()),
    }
    if monitoring:
        seen["tools"] = [monitoring.get_tool(n) for n in range(6)]
    return seen


signal.getsignal(signal.SIGINT)
snapshot()
os.write(1, b"ready\n")
while os.read(0, 4096).strip() != b"stop":
    f()
    os.write(1, b"snapshot " + json.dumps(snapshot()).encode() + b"\n")

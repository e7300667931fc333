# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: the representative functions of the reference's picture of probe sites."""

import asyncio
import os


async def other():
    await asyncio.sleep(0)


def example(fail):
    # start
    yield
    # resume

    if fail:
        # unwind
        raise Exception

    # return
    return


async def coro():
    await other()


os.write(1, b"ready\n")
os.read(0, 4096)
list(example(False))
try:
    list(example(True))
except Exception:
    pass
asyncio.run(coro())

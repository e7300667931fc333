# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""An ordinary user for tests that run as root: nobody's uid, no capability, a copy of the product."""

import contextlib
import dataclasses
import os
import pathlib
import shutil
import tempfile

from support.session import build_folder

UID = 65534


@dataclasses.dataclass(frozen=True)
class OrdinaryUser:
    uid: int
    prefix: tuple  # put before a command
    build: pathlib.Path  # the build folder may be out of the user's reach, so it is copied


def becoming(uid):
    return ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all", "--")


@contextlib.contextmanager
def ordinary_user(uid=UID):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="spyglass-user-", dir="/tmp"))
    os.chmod(folder, 0o755)
    try:
        source = build_folder()
        for name in ("spyglass", "libspyglass_agent.so"):
            if (source / name).exists():
                shutil.copy(source / name, folder / name)
        (folder / "pymontrace").symlink_to("spyglass")
        yield OrdinaryUser(uid, becoming(uid), folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)

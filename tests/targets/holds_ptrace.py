# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: a debugger. Holds another process (pid as argument) by ptrace until a line comes."""

import ctypes
import os
import sys

PTRACE_SEIZE, PTRACE_DETACH, PTRACE_INTERRUPT = 0x4206, 17, 0x4207
libc = ctypes.CDLL(None, use_errno=True)
pid = int(sys.argv[1])


def ptrace(request):
    if libc.ptrace(ctypes.c_long(request), ctypes.c_long(pid), None, None) != 0:
        sys.exit(os.strerror(ctypes.get_errno()))


ptrace(PTRACE_SEIZE)
os.write(1, b"ready\n")
os.read(0, 1)
ptrace(PTRACE_INTERRUPT)
os.waitpid(pid, 0x40000000)
ptrace(PTRACE_DETACH)

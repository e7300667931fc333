# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""deny_ptrace.py COMMAND...: runs a command under a seccomp filter as containers have it: ptrace and
process_vm_readv/writev fail with EPERM. x86-64 numbers; see seccomp(2) and linux/filter.h."""

import ctypes
import os
import struct
import sys

DENIED = (101, 310, 311)  # ptrace, process_vm_readv, process_vm_writev
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO_EPERM = 0x7FFF0000, 0x00050001

program = [(LOAD, 0, 0, 0)]
for index, number in enumerate(DENIED):
    program.append((JUMP_EQUAL, len(DENIED) - index, 0, number))
program += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, ERRNO_EPERM)]

code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
filter_program = struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter_program):
    sys.exit(f"seccomp: {os.strerror(ctypes.get_errno())}")
os.execvp(sys.argv[1], sys.argv[1:])

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""deny_calls.py NAME,NAME... COMMAND...: runs a command under a seccomp filter, as containers have it, in which
these system calls fail with EPERM. x86-64 numbers; see seccomp(2) and linux/filter.h."""

import ctypes
import os
import struct
import sys

NUMBERS = {"ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "memfd_create": 319, "socketpair": 53,
           "clone": 56, "clone3": 435}
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO_EPERM = 0x7FFF0000, 0x00050001

denied = [NUMBERS[name] for name in sys.argv[1].split(",")]
program = [(LOAD, 0, 0, 0)]
for index, number in enumerate(denied):
    program.append((JUMP_EQUAL, len(denied) - index, 0, number))
program += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, ERRNO_EPERM)]

code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
filter_program = struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter_program):
    sys.exit(f"seccomp: {os.strerror(ctypes.get_errno())}")
os.execvp(sys.argv[2], sys.argv[2:])

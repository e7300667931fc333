// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the static libstdc++ and libgcc of a newer system ask of libc and older ones do not have.
// Hidden definitions here keep the agent loadable from glibc 2.28 on (tools/check_agent.py).
#include <cstddef>

extern "C" {

// Since glibc 2.32: lets reference counts skip atomics. 0 is always right.
char __libc_single_threaded = 0;

// Since glibc 2.35: the unwinder's index. We throw nothing; "not found" is a valid answer.
int _dl_find_object(void*, void*) { return -1; }

}

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the static libstdc++ and libgcc of a newer system ask of libc and older ones do not have.
// Hidden definitions here keep the agent loadable from glibc 2.28 on (tools/check_agent.py).
#include <pthread.h>

extern "C" {

// Since glibc 2.32: lets reference counts skip atomics. 0 is always right.
char __libc_single_threaded = 0;

// Since glibc 2.35: the unwinder's index. We throw nothing; "not found" is a valid answer.
int _dl_find_object(void*, void*) {
    return -1;
}

// Objects of libstdc++.a and libgcc.a ask for the versions of glibc 2.34. The linker sends them
// here
// (--wrap in src/agent/CMakeLists.txt), and from here the old versions are asked for.
__asm__(".symver spyglass_pthread_once,pthread_once@" SPYGLASS_OLD_VERSION);
__asm__(".symver spyglass_pthread_key_create,__pthread_key_create@" SPYGLASS_OLD_VERSION);
int spyglass_pthread_once(pthread_once_t*, void (*)());
int spyglass_pthread_key_create(pthread_key_t*, void (*)(void*));

int __wrap_pthread_once(pthread_once_t* once, void (*routine)()) {
    return spyglass_pthread_once(once, routine);
}
int __wrap___pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
    return spyglass_pthread_key_create(key, destructor);
}
}

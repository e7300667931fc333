/* SPDX-FileCopyrightText: Spyglass contributors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Included before everything in the agent's sources: functions that glibc 2.32 and 2.34 gave a new
 * version when libpthread and libdl became part of libc. The old version exists in both.
 */
#pragma once

#if defined(__x86_64__)
#define SPYGLASS_OLD_VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define SPYGLASS_OLD_VERSION "GLIBC_2.17"
#elif defined(__riscv)
#define SPYGLASS_OLD_VERSION "GLIBC_2.27"
#endif

__asm__(".symver dlsym,dlsym@" SPYGLASS_OLD_VERSION);
__asm__(".symver pthread_attr_getstack,pthread_attr_getstack@" SPYGLASS_OLD_VERSION);
__asm__(".symver pthread_create,pthread_create@" SPYGLASS_OLD_VERSION);
__asm__(".symver pthread_detach,pthread_detach@" SPYGLASS_OLD_VERSION);
__asm__(".symver pthread_getattr_np,pthread_getattr_np@" SPYGLASS_OLD_VERSION);
__asm__(".symver pthread_sigmask,pthread_sigmask@" SPYGLASS_OLD_VERSION);

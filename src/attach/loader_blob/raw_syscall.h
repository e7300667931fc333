/* SPDX-FileCopyrightText: Spyglass contributors
 * SPDX-License-Identifier: Apache-2.0
 *
 * System calls for code without a library: numbers, structures and constants of the kernel's own
 * interface (asm/unistd.h, asm-generic), since libc headers bring their own ideas of errno.
 */
#ifndef SPYGLASS_ATTACH_LOADER_BLOB_SYSCALL_H
#define SPYGLASS_ATTACH_LOADER_BLOB_SYSCALL_H

#include <asm/unistd.h>
#include <stddef.h>
#include <stdint.h>

#define SYS_memfd_create __NR_memfd_create
#define SYS_ppoll __NR_ppoll
#define SYS_recvmsg __NR_recvmsg
#define SYS_gettid __NR_gettid
#define SYS_unshare __NR_unshare
#define SYS_fchdir __NR_fchdir
#define SYS_close __NR_close
#define SYS_socketpair __NR_socketpair
#define SYS_rt_sigprocmask __NR_rt_sigprocmask

enum {
    MFD_CLOEXEC = 1,
    MFD_EXEC = 0x10,
    EINTR = 4,
    EINVAL = 22,
    POLLIN = 1,
    MSG_CMSG_CLOEXEC = 0x40000000,
    AF_UNIX = 1,
    SOCK_STREAM = 1,
    SOCK_CLOEXEC = 02000000,
    CLONE_FS = 0x200,
    SIG_SETMASK = 2,
    RTLD_NOW = 2,
    CMSG_FD_OFFSET = 16 /* sizeof(struct cmsghdr) on 64-bit Linux */
};

struct pollfd_ {
    int fd;
    short events, revents;
};
struct timespec_ {
    long seconds, nanoseconds;
};
struct iovec_ {
    void* base;
    size_t bytes;
};
struct msghdr_ {
    void* name;
    uint32_t name_bytes;
    struct iovec_* data;
    size_t data_count;
    void* control;
    size_t control_bytes;
    int flags;
};

#if defined(__x86_64__)
static inline long call5(long number, long a, long b, long c, long d, long e) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
}
#endif

static inline long call0(long number) {
    return call5(number, 0, 0, 0, 0, 0);
}
static inline long call1(long number, long a) {
    return call5(number, a, 0, 0, 0, 0);
}
static inline long call2(long number, long a, long b) {
    return call5(number, a, b, 0, 0, 0);
}
static inline long call3(long number, long a, long b, long c) {
    return call5(number, a, b, c, 0, 0);
}
static inline long call4(long number, long a, long b, long c, long d) {
    return call5(number, a, b, c, d, 0);
}

#endif

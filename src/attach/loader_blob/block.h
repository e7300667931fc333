/* SPDX-FileCopyrightText: Spyglass contributors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The memory that the tracer and the injected loader share: one page of code (read and execute),
 * then this block (read and write), mapped together in the target. Plain C, no pointers of ours:
 * every address is the target's.
 *
 * States, written by the loader with release order, read by the tracer:
 *
 *   fresh -> thread_made -> descriptors -> running           the usual way
 *        \-> failed (message says what)                      nothing is left behind
 *
 * A loader thread whose tracer died waits a while before it gives up; by then the block may serve
 * another attach. So it keeps what is its own on its stack and publishes only under its ticket.
 *
 * `claimed` makes sure that one loader thread is made even if two strategies arrive. `left` says
 * that the borrowed thread is past everything but its last dozen instructions.
 */
#ifndef SPYGLASS_ATTACH_LOADER_BLOB_BLOCK_H
#define SPYGLASS_ATTACH_LOADER_BLOB_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define SPYGLASS_ALIGN64 alignas(64)
#else
#define SPYGLASS_ALIGN64 _Alignas(64)
#endif

enum {
    LOADER_CODE_BYTES = 4096,
    LOADER_XSAVE_BYTES = 12288, /* AVX-512 and PKRU need under 3 KiB; AMX tiles are left alone */
    LOADER_STACK_BYTES = 65536,
    LOADER_REGISTERS = 18 /* rax rbx rcx rdx rsi rdi rbp rsp r8-r15 rip rflags */
};

enum LoaderState {
    LOADER_FRESH = 0,
    LOADER_THREAD_MADE = 1,
    LOADER_DESCRIPTORS = 2,
    LOADER_RUNNING = 3,
    LOADER_FAILED = 4
};

enum LoaderFailure {
    LOADER_NO_FAILURE = 0,
    LOADER_NO_THREAD = 1,   /* pthread_create: error */
    LOADER_NO_MEMFD = 2,    /* memfd_create: error */
    LOADER_NO_SOCKET = 3,   /* socketpair: error */
    LOADER_TRACER_GONE = 4, /* no word from the tracer */
    LOADER_DLOPEN = 5,      /* message: dlerror() */
    LOADER_NO_IMAGE = 6,    /* the object has no spyglass_guest_image */
    LOADER_BUSY = 7         /* another session owns the image */
};

struct LoaderBlock {
    /* Written by the tracer before the thread is sent here. */
    uint64_t registers[LOADER_REGISTERS]; /* offset 0: entry.S restores from here */
    uint64_t signal_mask;                 /* the borrowed thread's own */
    uint64_t call;                        /* function(start, block) to call, or 0: start(block) */
    uint64_t start;                       /* address of spyglass_loader_start */
    uint64_t pthread_create;
    uint64_t pthread_detach;
    uint64_t errno_location;
    uint64_t dlopen;
    uint64_t dlsym;
    uint64_t dlerror;
    uint64_t runtime; /* &_PyRuntime, passed on */
    uint64_t image;   /* an inert image to use again, or 0 */
    uint64_t region;  /* where this region begins */
    uint64_t region_bytes;
    uint64_t ticket; /* of this attach: a thread of an earlier one publishes nothing more */
    /* Written by the loader. */
    uint32_t state;
    uint32_t claimed;
    uint32_t left;
    uint32_t failure;
    int32_t error; /* errno value of the failure */
    int32_t memfd;
    int32_t reserved2;
    int32_t peer_socket;
    int32_t borrowed_thread; /* kernel id, written by the tracer */
    int32_t reserved;
    char message[256];
    /* 64-byte aligned: XSAVE requires it. */
    SPYGLASS_ALIGN64 unsigned char xsave[LOADER_XSAVE_BYTES];
    unsigned char stack[LOADER_STACK_BYTES];
};

#define LOADER_REGION_BYTES \
    (((size_t)LOADER_CODE_BYTES + sizeof(struct LoaderBlock) + 4095) & ~(size_t)4095)

#endif

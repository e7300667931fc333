/* SPDX-FileCopyrightText: Spyglass contributors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The injected loader, position independent and free of any library: it calls the target's libc
 * through addresses in the block. A borrowed thread only makes a new thread; everything else
 * happens there, where nobody waits for it (docs/decisions/0001-loader-thread.md).
 *
 * Built as a flat binary (loader.ld): no relocation, no data but the block, no stack protector.
 */
#include "block.h"
#include "raw_syscall.h"

typedef int pthread_create_function(uint64_t*, const void*, void* (*)(void*), void*);
typedef int pthread_detach_function(uint64_t);
typedef int* errno_location_function(void);
typedef void* dlopen_function(const char*, int);
typedef void* dlsym_function(void*, const char*);
typedef char* dlerror_function(void);
typedef int start_function(struct LoaderBlock*);
typedef int call_function(start_function*, struct LoaderBlock*);

/* base/guest_image.h, as C sees it. */
struct Image {
    uint64_t magic;
    uint32_t abi;
    uint32_t state;
    void* (*run)(int control_fd, uint64_t runtime);
    uint64_t loader_region;
    uint64_t loader_region_bytes;
};

#define IMAGE_MAGIC 0x31474d4947595053u

enum { wait_for_tracer_ms = 10000, signal_set_bytes = 8 };

/* What one loader thread owns. */
struct Own {
    struct LoaderBlock* block;
    uint64_t ticket;
    int memfd;
    int control;
    int peer;
};

static int is_current(const struct Own* own) {
    return __atomic_load_n(&own->block->ticket, __ATOMIC_ACQUIRE) == own->ticket;
}

static void publish(const struct Own* own, uint32_t state) {
    if (is_current(own)) __atomic_store_n(&own->block->state, state, __ATOMIC_RELEASE);
}

static void publish_failure(const struct Own* own, uint32_t failure, long error) {
    if (!is_current(own)) return;
    own->block->failure = failure;
    own->block->error = (int32_t)-error;
    publish(own, LOADER_FAILED);
}

static long make_memfd(void) {
    char name[16] = {'s', 'p', 'y', 'g', 'l', 'a', 's', 's', '-', 'a', 'g', 'e', 'n', 't', 0};
    /* MFD_EXEC exists since Linux 6.3; before, EINVAL, and every memfd may be executed. */
    long fd = call2(SYS_memfd_create, (long)name, MFD_CLOEXEC | MFD_EXEC);
    if (fd == -EINVAL) fd = call2(SYS_memfd_create, (long)name, MFD_CLOEXEC);
    return fd;
}

/* The tracer's word: one byte, with a descriptor of its /proc/PID/fd for targets without /proc. */
static long await_tracer(int socket, int* directory) {
    struct pollfd_ wait = {socket, POLLIN, 0};
    char byte = 0;
    struct iovec_ data = {&byte, 1};
    SPYGLASS_ALIGN64 unsigned char control[64];
    struct msghdr_ message = {0, 0, &data, 1, control, sizeof control, 0};
    long count;
    *directory = -1;
    do {
        count = call5(SYS_ppoll, (long)&wait, 1,
                      (long)&(struct timespec_){wait_for_tracer_ms / 1000, 0}, 0, 0);
    } while (count == -EINTR);
    if (count <= 0) return 0;
    count = call3(SYS_recvmsg, socket, (long)&message, MSG_CMSG_CLOEXEC);
    if (count == 1 && message.control_bytes >= CMSG_FD_OFFSET + sizeof(int)) {
        *directory = *(int*)(control + CMSG_FD_OFFSET);
    }
    return count == 1;
}

static char* append_number(char* to, long value) {
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count) *to++ = digits[--count];
    return to;
}

static char* append_text(char* to, const char* text) {
    while (*text) *to++ = *text++;
    return to;
}

static void* open_library(struct LoaderBlock* block, int memfd, int directory) {
    dlopen_function* open = (dlopen_function*)block->dlopen;
    char path[96];
    char* end;
    void* handle;
    /* The thread id makes the name new: the dynamic loader compares names before inodes. */
    end = append_text(path, "/proc/self/task/");
    end = append_number(end, call0(SYS_gettid));
    end = append_text(end, "/fd/");
    *append_number(end, memfd) = 0;
    handle = open(path, RTLD_NOW);
    if (handle || directory < 0) return handle;
    /* No /proc here (chroot): a working directory of this thread alone, and a name relative to it.
     */
    if (call1(SYS_unshare, CLONE_FS) != 0 || call1(SYS_fchdir, directory) != 0) return 0;
    end = append_text(path, "./");
    *append_number(end, memfd) = 0;
    return open(path, RTLD_NOW);
}

static void close_own(int* fd) {
    if (*fd >= 0) call1(SYS_close, *fd);
    *fd = -1;
}

static void* give_up(struct Own* own, uint32_t failure, long error) {
    close_own(&own->memfd);
    close_own(&own->control);
    close_own(&own->peer);
    publish_failure(own, failure, error);
    return 0;
}

static struct Image* load_image(struct Own* own, int directory) {
    struct LoaderBlock* block = own->block;
    char symbol[32];
    void* handle = open_library(block, own->memfd, directory);
    if (!handle) {
        const char* text = ((dlerror_function*)block->dlerror)();
        unsigned i = 0;
        for (; is_current(own) && text && text[i] && i < sizeof block->message - 1; ++i)
            block->message[i] = text[i];
        block->message[i] = 0;
        return 0;
    }
    *append_text(symbol, "spyglass_guest_image") = 0;
    return ((dlsym_function*)block->dlsym)(handle, symbol);
}

static void* thread_main(void* argument) {
    struct LoaderBlock* block = argument;
    struct Own own = {block, block->ticket, -1, -1, -1};
    struct Image* image = (struct Image*)block->image;
    const uint64_t runtime = block->runtime;
    int sockets[2];
    int directory;
    uint32_t idle = 0;
    long result;

    if (!image) {
        result = make_memfd();
        if (result < 0) return give_up(&own, LOADER_NO_MEMFD, result);
        own.memfd = (int)result;
    }
    result = call4(SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, (long)sockets);
    if (result < 0) return give_up(&own, LOADER_NO_SOCKET, result);
    own.control = sockets[0];
    own.peer = sockets[1];
    block->memfd = own.memfd;
    block->peer_socket = own.peer;
    publish(&own, LOADER_DESCRIPTORS);

    if (!await_tracer(own.control, &directory)) return give_up(&own, LOADER_TRACER_GONE, 0);
    close_own(&own.peer);
    if (!image) image = load_image(&own, directory);
    close_own(&directory);
    close_own(&own.memfd);
    if (!image) return give_up(&own, block->message[0] ? LOADER_DLOPEN : LOADER_NO_IMAGE, 0);
    if (image->magic != IMAGE_MAGIC) return give_up(&own, LOADER_NO_IMAGE, 0);
    if (!__atomic_compare_exchange_n(&image->state, &idle, 1, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        return give_up(&own, LOADER_BUSY, 0);
    }
    image->loader_region_bytes = block->region_bytes;
    __atomic_store_n(&image->loader_region, block->region, __ATOMIC_RELEASE);
    publish(&own, LOADER_RUNNING);
    return image->run(own.control, runtime);
}

/* On the borrowed thread, or called by the interpreter as a pending call. */
int spyglass_loader_start(struct LoaderBlock* block) {
    int* error_number = ((errno_location_function*)block->errno_location)();
    const int saved_errno = *error_number;
    const uint64_t all = ~(uint64_t)0;
    uint64_t before = 0;
    uint64_t thread = 0;
    uint32_t unclaimed = 0;
    int result;
    if (!__atomic_compare_exchange_n(&block->claimed, &unclaimed, 1, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        return 0;
    }
    call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, signal_set_bytes);
    result = ((pthread_create_function*)block->pthread_create)(&thread, 0, thread_main, block);
    call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, signal_set_bytes);
    if (result != 0) {
        const struct Own nothing = {block, block->ticket, -1, -1, -1};
        publish_failure(&nothing, LOADER_NO_THREAD, -result);
    } else {
        ((pthread_detach_function*)block->pthread_detach)(thread);
    }
    *error_number = saved_errno;
    return 0;
}

/* From entry.S, on the scratch stack, with every signal blocked by the tracer. */
void spyglass_loader_dispatch(struct LoaderBlock* block) {
    start_function* start = (start_function*)block->start;
    if (block->call) {
        ((call_function*)block->call)(start, block);
    } else {
        start(block);
    }
    __atomic_store_n(&block->left, 1, __ATOMIC_RELEASE);
    call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&block->signal_mask, 0, signal_set_bytes);
}

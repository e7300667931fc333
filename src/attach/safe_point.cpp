// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/safe_point.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "attach/proc_file.h"

namespace spyglass::attach {

namespace {

struct Wait {
    long number;
    std::string_view name;
};

// Calls in which a thread waits for the outside world. The callers hold locks of their own (a FILE,
// the GIL, a mutex of the program), none that starting a thread takes.
constexpr Wait waits[] = {
    {SYS_read, "read"},
    {SYS_pread64, "pread"},
    {SYS_readv, "readv"},
    {SYS_write, "write"},
    {SYS_poll, "poll"},
    {SYS_ppoll, "ppoll"},
    {SYS_select, "select"},
    {SYS_pselect6, "pselect"},
    {SYS_epoll_wait, "epoll_wait"},
    {SYS_epoll_pwait, "epoll_pwait"},
#ifdef SYS_epoll_pwait2
    {SYS_epoll_pwait2, "epoll_pwait2"},
#endif
    {SYS_nanosleep, "nanosleep"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_futex, "futex"},
    {SYS_wait4, "wait4"},
    {SYS_waitid, "waitid"},
    {SYS_accept, "accept"},
    {SYS_accept4, "accept4"},
    {SYS_connect, "connect"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_sendto, "sendto"},
    {SYS_sendmsg, "sendmsg"},
    {SYS_pause, "pause"},
    {SYS_rt_sigsuspend, "sigsuspend"},
    {SYS_rt_sigtimedwait, "sigtimedwait"},
    {SYS_flock, "flock"},
    {SYS_fcntl, "fcntl"},
    {SYS_io_uring_enter, "io_uring_enter"},
    {SYS_restart_syscall, "restart_syscall"},
};

bool is_image(const Mapping* mapping, std::string_view stem) {
    if (!mapping) return false;
    const size_t slash = mapping->path.rfind('/');
    const std::string_view name =
        std::string_view(mapping->path).substr(slash == std::string::npos ? 0 : slash + 1);
    return name.substr(0, stem.size()) == stem;
}

}  // namespace

WhereBouts whereabouts(pid_t pid, pid_t tid) {
    WhereBouts where;
    const auto text = read_proc_file("/proc/" + std::to_string(pid) + "/task/" +
                                     std::to_string(tid) + "/syscall");
    if (!text || text->empty()) return where;
    if (text->compare(0, 7, "running") == 0) {
        where.kind = WhereBouts::Kind::running;
        return where;
    }
    unsigned long a[6] = {};
    unsigned long stack = 0;
    unsigned long counter = 0;
    const int fields =
        sscanf(text->c_str(), "%ld 0x%lx 0x%lx 0x%lx 0x%lx 0x%lx 0x%lx 0x%lx 0x%lx", &where.number,
               &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &stack, &counter);
    if (fields == 9) {
        where.kind = WhereBouts::Kind::in_call;
        for (size_t i = 0; i < 6; ++i) where.arguments[i] = a[i];
        where.program_counter = counter;
    } else {
        where.kind =
            WhereBouts::Kind::running;  // "-1 SP PC": blocked outside a call, a page fault say
    }
    return where;
}

std::optional<WhereBouts> returning_call(const arch::Registers& registers) {
    const auto call = arch::completed_call(registers);
    if (!call) return std::nullopt;
    WhereBouts where;
    where.kind = WhereBouts::Kind::in_call;
    where.number = call->number;
    std::copy(std::begin(call->arguments), std::end(call->arguments), where.arguments);
    where.program_counter = arch::program_counter(registers);
    return where;
}

std::string why_not_borrow_waiting(const WhereBouts& where, const std::vector<Mapping>& map) {
    bool known = false;
    for (const Wait& each : waits) known = known || each.number == where.number;
    if (!known) return "it is in system call " + call_name(where.number);
    const Mapping* const mapping = mapping_of(map, where.program_counter);
    if (is_image(mapping, "ld-linux") || is_image(mapping, "ld-2."))
        return "it is in the dynamic loader";
    if (where.number == SYS_futex && (where.arguments[1] & FUTEX_CMD_MASK) != FUTEX_WAIT_BITSET) {
        // Semaphores and condition variables, on which Python's locks are built, wait with
        // FUTEX_WAIT_BITSET; libc's internal locks (allocator, loader) with FUTEX_WAIT
        // (glibc: sysdeps/nptl/futex-internal.c, nptl/lowlevellock.c).
        return "it waits for a lock that may be the C library's";
    }
    return {};
}

bool waits_without_end(const WhereBouts& where) {
    const auto timeout_ms = static_cast<int>(where.arguments[3]);
    if (where.number == SYS_epoll_wait || where.number == SYS_epoll_pwait) return timeout_ms < 0;
#ifdef SYS_epoll_pwait2
    if (where.number == SYS_epoll_pwait2) return where.arguments[3] == 0;
#endif
    return false;
}

bool in_interpreter_text(uint64_t program_counter, const ElfImage& interpreter) {
    if (!interpreter.executes_at(program_counter)) return false;
    // The queue's lock is held for a few instructions here (Python/ceval_gil.c).
    constexpr uint64_t function_bytes = 512;
    for (const char* name : {"Py_AddPendingCall", "Py_MakePendingCalls"}) {
        const auto address = interpreter.symbol(name);
        if (address && program_counter >= *address && program_counter < *address + function_bytes)
            return false;
    }
    return true;
}

std::string call_name(long number) {
    for (const Wait& each : waits) {
        if (each.number == number) return std::string(each.name);
    }
    return "number " + std::to_string(number);
}

}  // namespace spyglass::attach

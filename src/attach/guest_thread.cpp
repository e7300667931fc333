// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/guest_thread.h"

#include <cstdlib>
#include <ctime>

#include "attach/proc_file.h"
#include "base/clock.h"

namespace spyglass::attach {

namespace {

// NSpid (proc(5)): the number in each pid namespace, from that of this /proc to the innermost.
pid_t innermost_number(pid_t pid, pid_t tid) {
    const auto status =
        read_proc_file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/status");
    if (!status) return 0;
    const std::string numbers = status_field(*status, "NSpid");
    const size_t last = numbers.find_last_of(" \t");
    return atoi(numbers.c_str() + (last == std::string::npos ? 0 : last + 1));
}

// 0: none.
pid_t number_here(pid_t pid, pid_t guest_tid) {
    if (innermost_number(pid, guest_tid) == guest_tid) return guest_tid;
    const auto threads = threads_of(pid);
    if (!threads) return 0;
    for (auto tid = threads->rbegin(); tid != threads->rend(); ++tid) {
        if (innermost_number(pid, *tid) == guest_tid) return *tid;
    }
    return 0;
}

}  // namespace

bool await_guest_thread_end(pid_t pid, pid_t guest_tid, uint64_t deadline_ns) {
    const pid_t tid = number_here(pid, guest_tid);
    if (tid == 0) return true;
    // The kernel offers no descriptor for another process's thread before Linux 6.9 (PIDFD_THREAD).
    const timespec a_moment{0, 50'000};
    for (;;) {
        const char state = thread_state(pid, tid);
        if (state == 0 || state == 'X' || state == 'Z') return true;
        if (monotonic_ns() >= deadline_ns) return false;
        nanosleep(&a_moment, nullptr);
    }
}

}  // namespace spyglass::attach

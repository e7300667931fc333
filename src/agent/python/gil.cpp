// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/gil.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>

namespace spyglass::agent::python {

namespace {

constinit std::atomic<uint32_t> waiting{0};  // a thread of ours waits for the GIL
constinit std::atomic<bool> asked{false};    // the pending call stands in the queue
constexpr timespec longest_step_aside{0, 20'000'000};

// Main thread, GIL held.
int stand_aside(void*) {
    asked.store(false);
    if (waiting.load() == 0) return 0;
    const int saved_errno = errno;
    PyThreadState* const state = api.PyEval_SaveThread();
    syscall(SYS_futex, &waiting, FUTEX_WAIT_PRIVATE, 1, &longest_step_aside, nullptr, 0);
    api.PyEval_RestoreThread(state);
    errno = saved_errno;
    return 0;
}

}  // namespace

GilHold::GilHold() {
    waiting.store(1);
    // A full queue means that the main thread has not served it for long: it is not busy. Not in
    // 3.8, which raises and prints an error when the interpreter has begun to end.
    if (api.at_least(3, 9) && !asked.exchange(true) &&
        api.Py_AddPendingCall(stand_aside, nullptr) != 0)
        asked.store(false);
    state_ = api.PyGILState_Ensure();
    waiting.store(0);
    syscall(SYS_futex, &waiting, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void forget_gil_wait() {
    waiting.store(0);
}

}  // namespace spyglass::agent::python

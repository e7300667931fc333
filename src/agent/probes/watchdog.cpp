// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/watchdog.h"

#include "agent/probes/engine.h"

namespace spyglass::agent::probes {

using python::api;

namespace {

constexpr uint64_t tick_ns = 100'000'000;  // the control thread's period (engine.h)

}  // namespace

PyObject* action_timeout_exception() {
    static PyObject* const exception =
        api.PyErr_NewException("spyglass.ActionTimeout", api.PyExc_BaseException, nullptr);
    return exception;
}

void forget_actions_of_other_threads() {
    // Their records lie on stacks that the child has a copy of and will reuse.
    RunningAction* each = RunningAction::newest.load(std::memory_order_relaxed);
    RunningAction* kept = nullptr;
    RunningAction::newest.store(nullptr, std::memory_order_relaxed);
    while (each) {
        RunningAction* const next = each->next_;
        if (pthread_equal(each->thread_, pthread_self())) {
            each->previous_ = kept;
            each->next_ = nullptr;
            if (kept) {
                kept->next_ = each;
            } else {
                RunningAction::newest.store(each, std::memory_order_relaxed);
            }
            kept = each;
        }
        each = next;
    }
}

bool action_overdue(uint64_t) {
    RunningAction::tick.fetch_add(1, std::memory_order_relaxed);
    return RunningAction::newest.load(std::memory_order_relaxed) != nullptr;
}

void interrupt_overdue(uint64_t limit_ns) {
    const uint64_t now = RunningAction::tick.load(std::memory_order_relaxed);
    for (RunningAction* each = RunningAction::newest.load(std::memory_order_relaxed); each;
         each = each->next_) {
        // One more tick: the action began somewhere within its first.
        if ((now - each->began_tick_) * tick_ns <= limit_ns + tick_ns) continue;
        each->interrupted_ = true;
        each->began_tick_ = now;
        api.PyThreadState_SetAsyncExc(each->thread_, action_timeout_exception());
    }
}

}  // namespace spyglass::agent::probes

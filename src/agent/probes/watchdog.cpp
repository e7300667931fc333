// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/watchdog.h"

#include <pthread.h>

#include <atomic>

#include "agent/probes/engine.h"

namespace spyglass::agent::probes {

using python::api;

namespace {

constexpr uint64_t tick_ns = 100'000'000;  // the control thread's period (engine.h)

std::atomic<uint64_t> tick{0};
std::atomic<int> running_count{0};
RunningAction* newest = nullptr;  // guarded by the GIL

}  // namespace

RunningAction::RunningAction(uint32_t clause)
    : previous_(nullptr),
      next_(newest),
      began_tick_(tick.load(std::memory_order_relaxed)),
      thread_(pthread_self()),
      clause_(clause) {
    if (newest) newest->previous_ = this;
    newest = this;
    running_count.store(running_count.load(std::memory_order_relaxed) + 1,
                        std::memory_order_relaxed);
}

RunningAction::~RunningAction() {
    if (previous_) previous_->next_ = next_;
    if (next_) next_->previous_ = previous_;
    if (newest == this) newest = next_;
    running_count.store(running_count.load(std::memory_order_relaxed) - 1,
                        std::memory_order_relaxed);
    if (interrupted_) api.PyThreadState_SetAsyncExc(thread_, nullptr);
}

PyObject* action_timeout_exception() {
    static PyObject* const exception =
        api.PyErr_NewException("spyglass.ActionTimeout", api.PyExc_BaseException, nullptr);
    return exception;
}

void forget_actions_of_other_threads() {
    // Their records lie on stacks that the child has a copy of and will reuse.
    RunningAction* kept = nullptr;
    int count = 0;
    for (RunningAction* each = newest; each; each = each->next_) {
        if (!pthread_equal(each->thread_, pthread_self())) continue;
        each->previous_ = kept;
        (kept ? kept->next_ : newest) = each;
        kept = each;
        ++count;
    }
    if (kept) {
        kept->next_ = nullptr;
    } else {
        newest = nullptr;
    }
    running_count.store(count, std::memory_order_relaxed);
}

bool action_overdue(uint64_t) {
    tick.fetch_add(1, std::memory_order_relaxed);
    return running_count.load(std::memory_order_relaxed) != 0;
}

void interrupt_overdue(uint64_t limit_ns) {
    const uint64_t now = tick.load(std::memory_order_relaxed);
    for (RunningAction* each = newest; each; each = each->next_) {
        // One more tick: the action began somewhere within its first.
        if ((now - each->began_tick_) * tick_ns <= limit_ns + tick_ns) continue;
        each->interrupted_ = true;
        each->began_tick_ = now;
        api.PyThreadState_SetAsyncExc(each->thread_, action_timeout_exception());
    }
}

}  // namespace spyglass::agent::probes

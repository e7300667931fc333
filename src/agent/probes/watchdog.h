// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Actions that run too long are interrupted by an asynchronous exception in their thread
// (PyThreadState_SetAsyncExc), which is withdrawn when the action ends, so that it never reaches
// the program. Time is counted in ticks of the control thread: the hot path reads no clock.
//
// RunningAction: GIL held. action_overdue(): no GIL. interrupt_overdue(): GIL.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "agent/python/capi.h"

namespace spyglass::agent::probes {

/// On the stack of the thread that runs an action; linked, newest first, so that the control thread
/// finds it.
class RunningAction {
  public:
    RunningAction()
        : next_(newest.load(std::memory_order_relaxed)),
          began_tick_(tick.load(std::memory_order_relaxed)),
          thread_(pthread_self()) {
        if (next_) next_->previous_ = this;
        newest.store(this, std::memory_order_relaxed);
    }
    ~RunningAction() {
        if (next_) next_->previous_ = previous_;
        if (previous_) {
            previous_->next_ = next_;
        } else {
            newest.store(next_, std::memory_order_relaxed);
        }
        if (interrupted_) python::api.PyThreadState_SetAsyncExc(thread_, nullptr);
    }
    RunningAction(const RunningAction&) = delete;
    RunningAction& operator=(const RunningAction&) = delete;

    bool interrupted() const { return interrupted_; }

  private:
    friend bool action_overdue(uint64_t);
    friend void interrupt_overdue(uint64_t);
    friend void forget_actions_of_other_threads();
    static constinit inline std::atomic<RunningAction*> newest{
        nullptr};  // changed with the GIL held
    static constinit inline std::atomic<uint64_t> tick{0};

    RunningAction* previous_ = nullptr;
    RunningAction* next_;
    uint64_t began_tick_;
    unsigned long thread_;
    bool interrupted_ = false;
};

PyObject* action_timeout_exception();

/// In a forked child: the actions of other threads are no more.
void forget_actions_of_other_threads();

}  // namespace spyglass::agent::probes

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Actions that run too long are interrupted by an asynchronous exception in their thread
// (PyThreadState_SetAsyncExc), which is withdrawn when the action ends, so that it never reaches
// the program. Time is counted in ticks of the control thread: the hot path reads no clock.
//
// RunningAction: GIL held. action_overdue(): no GIL. interrupt_overdue(): GIL.
#pragma once

#include <cstdint>

#include "agent/python/capi.h"

namespace spyglass::agent::probes {

class RunningAction {
  public:
    explicit RunningAction(uint32_t clause);
    ~RunningAction();
    RunningAction(const RunningAction&) = delete;
    RunningAction& operator=(const RunningAction&) = delete;

    bool interrupted() const { return interrupted_; }

  private:
    friend void interrupt_overdue(uint64_t);
    friend void forget_actions_of_other_threads();
    RunningAction* previous_;
    RunningAction* next_;
    uint64_t began_tick_;
    unsigned long thread_;
    uint32_t clause_;
    bool interrupted_ = false;
};

PyObject* action_timeout_exception();

/// In a forked child: the actions of other threads are no more.
void forget_actions_of_other_threads();

}  // namespace spyglass::agent::probes

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The GIL for a thread of ours, soon even when the program is busy. A thread that waits for the GIL
// gets it after a switch interval (5 ms) in which nobody let go of it (Python/ceval_gil.c,
// take_gil); a main thread that computes and makes many short system calls lets go all the time and
// takes it back before we have woken up, so that no interval ever passes. Therefore the main thread
// is also asked, by a pending call, to stand aside until we have it. A main thread that sleeps
// holds nothing, and serves the pending call later as one that does nothing.
//
// GilHold: one thread at a time (the control thread), without the GIL.
#pragma once

#include "agent/python/capi.h"

namespace spyglass::agent::python {

class GilHold {
  public:
    GilHold();
    ~GilHold() { api.PyGILState_Release(state_); }
    GilHold(const GilHold&) = delete;
    GilHold& operator=(const GilHold&) = delete;

  private:
    PyGILState_STATE state_;
};

/// In a forked child: whoever waited is no more.
void forget_gil_wait();

}  // namespace spyglass::agent::python

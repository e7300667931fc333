// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Lines on CPython 3.8 to 3.11, and the ends of frames that were running before the evaluation hook
// was there: a native trace function (PyTrace_LINE, PyTrace_RETURN of Python/ceval.c). It is on a
// thread only while a frame there needs it; the hook switches it. The program's own trace function
// goes on to be called, first ours then its, and sys.gettrace() tells the program's.
//
// Not handled: a program that sets a trace function in the very frame whose lines are watched takes
// our place there until the next Python call of that frame is over; frames whose `f_trace_lines`
// the program has cleared. GIL held in every call.
#pragma once

#include "agent/domain.h"
#include "agent/python/capi.h"

namespace spyglass::agent::python {

bool is_traced(PyThreadState* thread);

/// Paired; each harmless when already so.
void trace_thread(PyThreadState* thread);
void untrace_thread(PyThreadState* thread);

/// Once after arming: traces the threads that are inside frames with wanted events.
void trace_running_frames();
/// Every thread is as the program left it; nothing is remembered.
void untrace_all_threads();

/// A frame begins at this address: what ran there before is gone.
void forget_running_frame(const void* frame);

}  // namespace spyglass::agent::python

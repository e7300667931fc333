// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Thread states of CPython 3.8 to 3.11: the frame that runs, the trace function, and the pause in
// which an action runs. Fields are set here as Python/ceval.c sets them in PyEval_SetTrace and
// call_trace of the same version, but without its audit event, and for any thread.
// GIL held in every call; any thread state of the main interpreter. choose_old_layout() first.
#pragma once

#include "agent/python/capi.h"
#include "agent/python/sources/old_layouts.h"

namespace spyglass::agent::python {

using TraceFunction = int (*)(PyObject* object, PyFrameObject* frame, int what, PyObject* argument);

inline TraceFunction trace_function_of(PyThreadState* thread) {
    return field_at<TraceFunction>(thread, old_layout->thread.trace_function);
}

/// Leaves the trace object alone, so that sys.gettrace() tells what it told before.
void set_trace_function(PyThreadState* thread, TraceFunction function);

/// The innermost frame that the interpreter evaluates on that thread: PyFrameObject up to 3.10,
/// _PyInterpreterFrame in 3.11; null outside of Python code.
inline void* running_frame_of(PyThreadState* thread) {
    if (old_layout->thread.frame != absent)
        return field_at<void*>(thread, old_layout->thread.frame);
    void* const cframe = field_at<void*>(thread, old_layout->thread.cframe);
    return cframe ? field_at<void*>(cframe, old_layout->cframe.current_frame) : nullptr;
}

/// While it lives, the program's own trace and profile functions do not hear this thread, and an
/// action has room for a few calls even where the program's recursion has reached its limit.
class QuietThread {
  public:
    explicit QuietThread(PyThreadState* thread);
    ~QuietThread();
    QuietThread(const QuietThread&) = delete;
    QuietThread& operator=(const QuietThread&) = delete;

  private:
    PyThreadState* thread_;
};

}  // namespace spyglass::agent::python

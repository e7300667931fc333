// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/sources/old_thread.h"

namespace spyglass::agent::python {

namespace {

constexpr int room_for_actions = 100;  // calls

void update_use_tracing(PyThreadState* thread) {
    const auto& at = old_layout->thread;
    const bool traced =
        field_at<int>(thread, at.tracing) == 0 && (field_at<void*>(thread, at.trace_function) ||
                                                   field_at<void*>(thread, at.profile_function));
    if (at.use_tracing != absent) {
        field_at<int>(thread, at.use_tracing) = traced;
        return;
    }
    void* const cframe = field_at<void*>(thread, at.cframe);
    if (old_layout->minor == 10) {
        field_at<int>(cframe, old_layout->cframe.use_tracing) = traced;
    } else {
        // 3.11 combines it with opcodes by `or`, hence all bits.
        field_at<uint8_t>(cframe, old_layout->cframe.use_tracing) = traced ? 255 : 0;
    }
}

// The evaluation loop of 3.8 and 3.9 looks for lines only when some thread has a trace function.
void count_tracing_thread(PyThreadState* thread, int change) {
    if (old_layout->runtime_tracing_possible != absent) {
        field_at<int>(api.runtime, old_layout->runtime_tracing_possible) += change;
    } else if (old_layout->interpreter_tracing_possible != absent) {
        void* const interpreter = field_at<void*>(thread, old_layout->thread.interpreter);
        field_at<int>(interpreter, old_layout->interpreter_tracing_possible) += change;
    }
}

void make_room(PyThreadState* thread, int calls) {
    // recursion_depth counts up to 3.10, recursion_remaining counts down in 3.11.
    field_at<int>(thread, old_layout->thread.recursion) += old_layout->minor >= 11 ? calls : -calls;
}

}  // namespace

void set_trace_function(PyThreadState* thread, TraceFunction function) {
    auto& installed = field_at<TraceFunction>(thread, old_layout->thread.trace_function);
    count_tracing_thread(thread, (function != nullptr) - (installed != nullptr));
    installed = function;
    update_use_tracing(thread);
}

QuietThread::QuietThread(PyThreadState* thread) : thread_(thread) {
    ++field_at<int>(thread, old_layout->thread.tracing);
    update_use_tracing(thread);
    make_room(thread, room_for_actions);
}

QuietThread::~QuietThread() {
    make_room(thread_, -room_for_actions);
    --field_at<int>(thread_, old_layout->thread.tracing);
    update_use_tracing(thread_);
}

}  // namespace spyglass::agent::python

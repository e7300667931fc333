// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/sources/trace_function.h"

#include <unordered_map>

#include "agent/guest/recursion_guard.h"
#include "agent/python/sources/old_event.h"
#include "agent/python/sources/old_thread.h"

namespace spyglass::agent::python {

namespace {

// PyTrace_* of cpython/pystate.h, which the limited API does not name.
constexpr int exception_raised = 1;
constexpr int line_begins = 2;
constexpr int frame_left = 3;

constexpr EventMask ends =
    mask_of(RegionEvent::ret) | mask_of(RegionEvent::unwind) | mask_of(RegionEvent::yield);

// A frame that was running when we came: its end does not pass through the evaluation hook.
struct RunningFrame {
    PyThreadState* thread;
    EventMask wanted;
    Ref exception;  // raised in it, and not handled yet
};

struct Tracing {
    std::unordered_map<PyThreadState*, TraceFunction> programs;  // the trace functions below ours
    std::unordered_map<const void*, RunningFrame> running;
    std::unordered_map<PyThreadState*, size_t> running_count;
};

Tracing& tracing() {
    static auto* const all = new Tracing;
    return *all;
}

TraceFunction program_function(PyThreadState* thread) {
    const auto& programs = tracing().programs;
    if (programs.empty()) return nullptr;
    const auto found = programs.find(thread);
    return found == programs.end() ? nullptr : found->second;
}

// False, as in all of these: an exception of the program is set.
bool line_reached(PyThreadState* thread, PyFrameObject* object, void* frame) {
    CodeState* const state = code_state_of(code_of_frame(frame));
    const OldFrame here = running_frame(frame);
    if (!state || !(watched_here(*state, here) & mask_of(RegionEvent::line))) return true;
    const int line = api.PyFrame_GetLineNumber(object);
    return tell(thread, *state, here, RegionEvent::line, nullptr, static_cast<uint32_t>(line));
}

// An exception that the frame handles must not live longer through us. One that a `finally` block
// is going to raise again is the one being handled there.
void drop_handled_exception(RunningFrame& frame) {
    if (!frame.exception) return;
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    api.PyErr_GetExcInfo(&type, &value, &traceback);
    const Ref type_ref = Ref::steal(type), value_ref = Ref::steal(value),
              traceback_ref = Ref::steal(traceback);
    if (value != frame.exception.get()) frame.exception = Ref();
}

bool running_frame_left(PyThreadState* thread, void* frame, PyObject* value) {
    const auto found = tracing().running.find(frame);
    const Ref exception = std::move(found->second.exception);
    const EventMask wanted = found->second.wanted;
    forget_running_frame(frame);
    if (!tracing().running_count.contains(thread)) untrace_thread(thread);
    CodeState* const state = code_state_of(code_of_frame(frame));
    if (!state) return true;
    RegionEvent event = RegionEvent::ret;
    if (!value) {
        event = RegionEvent::unwind;
        value = exception.get();
    } else if ((state->flags & CodeState::suspends) && is_suspended(frame)) {
        event = RegionEvent::yield;
        value = unboxed_yield(value);
    }
    return !(wanted & mask_of(event)) || tell(thread, *state, running_frame(frame), event, value);
}

bool heed(PyThreadState* thread, PyFrameObject* object, int what, PyObject* argument) {
    void* const frame = frame_of_object(object);
    auto& running = tracing().running;
    const auto found = running.empty() ? running.end() : running.find(frame);
    if (what == line_begins) {
        if (found != running.end()) drop_handled_exception(found->second);
        return line_reached(thread, object, frame);
    }
    if (found == running.end()) return true;
    if (what == exception_raised && (found->second.wanted & mask_of(RegionEvent::unwind))) {
        found->second.exception = Ref::borrow(api.PyTuple_GetItem(argument, 1));
    } else if (what == frame_left) {
        return running_frame_left(thread, frame, argument);
    }
    return true;
}

int on_trace(PyObject* program_object, PyFrameObject* frame, int what, PyObject* argument) {
    PyThreadState* const thread = api.PyThreadState_Get();
    const TraceFunction program = program_function(thread);
    const uint32_t arming = current_arming();
    if (arming != 0 && !inside_action && !heed(thread, frame, what, argument)) return -1;
    if (!program) return 0;
    const int result = program(program_object, frame, what, argument);
    // It may have put another in our place, or none.
    const bool still_needed = arming != 0 && current_arming() == arming && what != frame_left;
    if (still_needed && !is_traced(thread)) trace_thread(thread);
    return result;
}

bool trace_running_frame(PyThreadState* thread, void* frame) {
    CodeState* const state = code_state_of(code_of_frame(frame));
    if (!state || only_makes_generator(frame, state->flags)) return false;
    watched_here(*state, running_frame(frame));
    const EventMask wanted = state->wanted & (ends | mask_of(RegionEvent::line));
    if (wanted == 0) return false;
    if (tracing().running.emplace(frame, RunningFrame{thread, wanted, Ref()}).second) {
        ++tracing().running_count[thread];
    }
    return true;
}

}  // namespace

bool is_traced(PyThreadState* thread) {
    return trace_function_of(thread) == on_trace;
}

void trace_thread(PyThreadState* thread) {
    const TraceFunction program = trace_function_of(thread);
    if (program == on_trace) return;
    auto& programs = tracing().programs;
    if (program) {
        programs[thread] = program;
    } else if (!programs.empty()) {
        programs.erase(thread);
    }
    set_trace_function(thread, on_trace);
}

void untrace_thread(PyThreadState* thread) {
    if (is_traced(thread)) set_trace_function(thread, program_function(thread));
}

void trace_running_frames() {
    PyThreadState* thread = api.PyInterpreterState_ThreadHead(api.PyInterpreterState_Main());
    for (; thread; thread = api.PyThreadState_Next(thread)) {
        bool needed = false;
        for (void* frame = running_frame_of(thread); frame; frame = outer_frame(frame)) {
            if (trace_running_frame(thread, frame)) needed = true;
        }
        if (needed) trace_thread(thread);
    }
}

void untrace_all_threads() {
    PyThreadState* thread = api.PyInterpreterState_ThreadHead(api.PyInterpreterState_Main());
    for (; thread; thread = api.PyThreadState_Next(thread)) untrace_thread(thread);
    tracing().programs.clear();
    const auto running = std::move(tracing().running);  // freeing exceptions may run code
    tracing().running.clear();
    tracing().running_count.clear();
}

void forget_running_frame(const void* frame) {
    auto& all = tracing();
    if (all.running.empty()) return;
    const auto found = all.running.find(frame);
    if (found == all.running.end()) return;
    const auto count = all.running_count.find(found->second.thread);
    if (--count->second == 0) all.running_count.erase(count);
    const Ref exception = std::move(found->second.exception);
    all.running.erase(found);
}

}  // namespace spyglass::agent::python

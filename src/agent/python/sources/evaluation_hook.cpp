// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/sources/evaluation_hook.h"

#include "agent/guest/recursion_guard.h"
#include "agent/guest/stack_room.h"
#include "agent/python/sources/evaluation_slot.h"
#include "agent/python/sources/old_event.h"
#include "agent/python/sources/old_thread.h"
#include "agent/python/sources/trace_function.h"

namespace spyglass::agent::python {

namespace {

// _PyFrameEvalFunction: (frame, throwflag) in 3.8, (thread, frame, throwflag) since.
using Evaluation = PyObject* (*)(PyThreadState*, void*, int);
using Evaluation38 = PyObject* (*)(void*, int);

enum class Abi { v38, v39, v311 };

void* next_function = nullptr;  // what we stand before; never null once installed
bool reached = false;           // set by the hook, for is_in_chain()
bool stays_in_chain = false;    // another tool was on top of us when we were removed

template <Abi abi>
PyObject* go_on(PyThreadState* thread, void* frame, int thrown) {
    if constexpr (abi == Abi::v38) {
        return reinterpret_cast<Evaluation38>(next_function)(frame, thrown);
    } else {
        return reinterpret_cast<Evaluation>(next_function)(thread, frame, thrown);
    }
}

// The program's pending exception, put aside and restored exactly as it was.
class PendingException {
  public:
    PendingException() { api.PyErr_Fetch(&type_, &value_, &traceback_); }
    ~PendingException() { api.PyErr_Restore(type_, value_, traceback_); }
    PendingException(const PendingException&) = delete;
    PendingException& operator=(const PendingException&) = delete;

    /// The exception as an object. These versions make it as late as they can; what is made here is
    /// a copy, so that the pending one stays as it is.
    Ref instance() const {
        if (value_ && is_instance(value_, api.PyExc_BaseException)) return Ref::borrow(value_);
        if (!type_) return {};
        PyObject* type = Ref::borrow(type_).release();
        PyObject* value = Ref::borrow(value_).release();
        PyObject* traceback = Ref::borrow(traceback_).release();
        api.PyErr_NormalizeException(&type, &value, &traceback);
        const Ref type_ref = Ref::steal(type), traceback_ref = Ref::steal(traceback);
        return Ref::steal(value);
    }

  private:
    PyObject* type_ = nullptr;
    PyObject* value_ = nullptr;
    PyObject* traceback_ = nullptr;
};

void tell_with_exception(PyThreadState* thread, CodeState& state, OldFrame frame,
                         RegionEvent event) {
    const PendingException pending;
    Ref instance;
    {
        const ActionScope quiet_ourselves;
        const QuietThread quiet(thread);
        instance = pending.instance();
    }
    tell(thread, state, frame, event, instance.get());
    instance = Ref();
    api.PyErr_Clear();
}

// Just before and after its evaluation, a frame's caller is the one that runs.
OldFrame called_frame(PyThreadState* thread, void* frame) {
    return {frame, running_frame_of(thread)};
}

[[gnu::noinline]] void entered(PyThreadState* thread, CodeState& state, void* frame,
                               EventMask watched, bool thrown) {
    const bool is_start = !thrown && (!(state.flags & CodeState::suspends) || is_new_frame(frame));
    const RegionEvent event = is_start ? RegionEvent::start : RegionEvent::resume;
    if (!(watched & mask_of(event))) return;
    if (thrown) {
        tell_with_exception(thread, state, called_frame(thread, frame), event);
    } else {
        tell(thread, state, called_frame(thread, frame), event, nullptr);
    }
}

[[gnu::noinline]] void left(PyThreadState* thread, CodeState& state, void* frame, EventMask watched,
                            PyObject* result) {
    if (!result) {
        if (watched & mask_of(RegionEvent::unwind)) {
            tell_with_exception(thread, state, called_frame(thread, frame), RegionEvent::unwind);
        }
        return;
    }
    if (!(state.flags & CodeState::suspends) || !is_suspended(frame)) {
        if (watched & mask_of(RegionEvent::ret))
            tell(thread, state, called_frame(thread, frame), RegionEvent::ret, result);
    } else if (watched & mask_of(RegionEvent::yield)) {
        tell(thread, state, called_frame(thread, frame), RegionEvent::yield, unboxed_yield(result));
    }
}

[[gnu::noinline]] EventMask ask(PyThreadState* thread, CodeState& state, void* frame, bool thrown) {
    if (!thrown) return watched_here(state, called_frame(thread, frame));
    const PendingException pending;
    return watched_here(state, called_frame(thread, frame));
}

void switch_tracing(PyThreadState* thread, bool on) {
    if (is_traced(thread) == on) return;
    if (on) {
        trace_thread(thread);
    } else {
        untrace_thread(thread);
    }
}

template <Abi abi>
PyObject* evaluate_watched(PyThreadState* thread, CodeState& state, void* frame, EventMask watched,
                           int thrown) {
    const uint32_t arming = current_arming();
    entered(thread, state, frame, watched, thrown != 0);
    // Whoever was told may have ended the session, and with it the state.
    if (current_arming() != arming) return go_on<abi>(thread, frame, thrown);
    const bool was_traced = is_traced(thread);
    switch_tracing(thread, (watched & mask_of(RegionEvent::line)) != 0);
    PyObject* const result = go_on<abi>(thread, frame, thrown);
    if (current_arming() != arming) return result;
    switch_tracing(thread, was_traced);
    left(thread, state, frame, watched, result);
    return result;
}

template <Abi abi>
PyObject* hook(PyThreadState* thread, void* frame, int thrown);

template <Abi abi>
void* this_hook() {
    return reinterpret_cast<void*>(hook<abi>);
}

// Calls below are then the interpreter's own affair, which needs no C stack for them.
template <Abi abi>
[[gnu::noinline]] PyObject* step_aside(PyThreadState* thread, void* frame, int thrown) {
    const uint32_t arming = current_arming();
    const bool alone = evaluation_function() == this_hook<abi>();
    if (alone) set_evaluation_function(next_function);
    PyObject* const result = go_on<abi>(thread, frame, thrown);
    if (alone && current_arming() == arming && evaluation_function() == next_function) {
        set_evaluation_function(this_hook<abi>());
    }
    return result;
}

template <Abi abi>
PyObject* hook(PyThreadState* thread, void* frame, int thrown) {
    reached = true;
    if (inside_action || !is_armed()) return go_on<abi>(thread, frame, thrown);
    CodeState* const state = code_state_of(code_of_frame(frame));
    if (!state) return go_on<abi>(thread, frame, thrown);
    if constexpr (abi == Abi::v311) {
        if (stack_is_short()) return step_aside<abi>(thread, frame, thrown);
        if (only_makes_generator(frame, state->flags)) return go_on<abi>(thread, frame, thrown);
    }
    const EventMask watched = state->generation == current_arming()
                                  ? state->watched
                                  : ask(thread, *state, frame, thrown != 0);
    forget_running_frame(frame);
    if (watched == 0 && !is_traced(thread)) return go_on<abi>(thread, frame, thrown);
    return evaluate_watched<abi>(thread, *state, frame, watched, thrown);
}

PyObject* hook38(void* frame, int thrown) {
    return hook<Abi::v38>(api.PyThreadState_Get(), frame, thrown);
}

void* our_hook() {
    if (old_layout->minor >= 11) return this_hook<Abi::v311>();
    return old_layout->minor == 8 ? reinterpret_cast<void*>(hook38) : this_hook<Abi::v39>();
}

// Only an evaluation shows whether the tool on top calls us.
bool is_in_chain() {
    const Ref code = Ref::steal(api.Py_CompileString("0", "<spyglass>", Py_eval_input));
    const Ref globals = Ref::steal(api.PyDict_New());
    reached = false;
    if (code && globals)
        (void)Ref::steal(api.PyEval_EvalCode(code.get(), globals.get(), globals.get()));
    api.PyErr_Clear();
    return reached;
}

}  // namespace

Result<void> install_evaluation_hook() {
    if (auto checked = check_evaluation_slot(); !checked) return checked;
    void* const current = evaluation_function();
    if (current == our_hook() || (stays_in_chain && is_in_chain())) return {};
    next_function = current;
    stays_in_chain = false;
    set_evaluation_function(our_hook());
    return {};
}

void remove_evaluation_hook() {
    void* const current = evaluation_function();
    if (current == our_hook()) set_evaluation_function(next_function);
    stays_in_chain = current != our_hook() && current != next_function;
}

}  // namespace spyglass::agent::python

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

// The program's pending exception, put aside and restored exactly as it was, unless another of the
// program took its place meanwhile.
class PendingException {
  public:
    PendingException() { api.PyErr_Fetch(&type_, &value_, &traceback_); }
    ~PendingException() {
        if (!replaced_) {
            api.PyErr_Restore(type_, value_, traceback_);
            return;
        }
        for (PyObject* each : {type_, value_, traceback_}) {
            if (each) api.Py_DecRef(each);
        }
    }
    PendingException(const PendingException&) = delete;
    PendingException& operator=(const PendingException&) = delete;

    /// The exception that is set now stays set in its place.
    void replace() { replaced_ = true; }

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
    bool replaced_ = false;
};

// False: the program's pending exception is another now.
bool tell_with_exception(PyThreadState* thread, CodeState& state, OldFrame frame,
                         RegionEvent event) {
    PendingException pending;
    Ref instance;
    {
        const ActionScope quiet_ourselves;
        const QuietThread quiet(thread);
        instance = pending.instance();
    }
    const bool goes_on = tell(thread, state, frame, event, instance.get());
    if (!goes_on) pending.replace();
    if (goes_on) {
        instance = Ref();
        api.PyErr_Clear();
    }
    return goes_on;
}

// Just before and after its evaluation, a frame's caller is the one that runs.
OldFrame called_frame(PyThreadState* thread, void* frame) {
    return {frame, running_frame_of(thread)};
}

// False: an exception is set that the frame must begin, or go on, with.
[[gnu::noinline]] bool entered(PyThreadState* thread, CodeState& state, void* frame,
                               EventMask watched, bool thrown) {
    const bool is_start = !thrown && (!(state.flags & CodeState::suspends) || is_new_frame(frame));
    const RegionEvent event = is_start ? RegionEvent::start : RegionEvent::resume;
    if (!(watched & mask_of(event))) return true;
    if (thrown) return tell_with_exception(thread, state, called_frame(thread, frame), event);
    return tell(thread, state, called_frame(thread, frame), event, nullptr);
}

// What the frame's evaluation comes to.
[[gnu::noinline]] PyObject* left(PyThreadState* thread, CodeState& state, void* frame,
                                 EventMask watched, PyObject* result) {
    if (!result) {
        if (watched & mask_of(RegionEvent::unwind)) {
            tell_with_exception(thread, state, called_frame(thread, frame), RegionEvent::unwind);
        }
        return nullptr;
    }
    const bool yields = (state.flags & CodeState::suspends) && is_suspended(frame);
    const RegionEvent event = yields ? RegionEvent::yield : RegionEvent::ret;
    if (!(watched & mask_of(event))) return result;
    PyObject* const value = yields ? unboxed_yield(result) : result;
    if (tell(thread, state, called_frame(thread, frame), event, value)) return result;
    api.Py_DecRef(result);
    return nullptr;
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
    // With an exception set and `thrown`, the evaluation raises it where the frame stands.
    if (!entered(thread, state, frame, watched, thrown != 0)) thrown = 1;
    // Whoever was told may have ended the session, and with it the state.
    if (current_arming() != arming) return go_on<abi>(thread, frame, thrown);
    const bool was_traced = is_traced(thread);
    switch_tracing(thread, (watched & mask_of(RegionEvent::line)) != 0);
    PyObject* const result = go_on<abi>(thread, frame, thrown);
    if (current_arming() != arming) return result;
    switch_tracing(thread, was_traced);
    return left(thread, state, frame, watched, result);
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

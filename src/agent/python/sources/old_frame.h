// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Frames of CPython 3.8 to 3.11, read in place: up to 3.10 a frame is its frame object, in 3.11 it
// is a _PyInterpreterFrame, for which no object is made here. `f_locals` of a frame object is never
// asked for, because that rewrites the dict that the program's own locals() gave out.
//
// A frame is valid while its code runs, and in the evaluation hook before and after that. GIL held;
// choose_old_layout() first. Facts: Objects/frameobject.c and Objects/genobject.c of each version.
#pragma once

#include "agent/python/moment.h"
#include "agent/python/sources/old_layouts.h"

namespace spyglass::agent::python {

/// Moment::native of these sources.
struct OldFrame {
    void* frame = nullptr;
    void* caller = nullptr;  // null: none
};

extern const FrameAccess old_frame_access;

inline PyObject* code_of_frame(const void* frame) {
    return field_at<PyObject*>(frame, old_layout->frame.code);
}
/// Only while the frame is being evaluated; before and after, its caller is the running frame.
inline void* outer_frame(const void* frame) {
    return field_at<void*>(frame, old_layout->frame.outer);
}
inline OldFrame running_frame(void* frame) {
    return {frame, outer_frame(frame)};
}
void* frame_of_object(PyFrameObject* object);

/// Has not executed anything; a generator before its first resumption is new, too.
bool is_new_frame(const void* frame);

/// 3.11 calls a generator function to make the generator: an evaluation that is no execution.
bool only_makes_generator(const void* frame, uint32_t code_flags);

/// After evaluation, of a generator's frame: it yielded and will go on.
bool is_suspended(const void* frame);

/// What an asynchronous generator yielded, out of the box that the interpreter puts it in.
/// Borrowed.
PyObject* unboxed_yield(PyObject* value);

}  // namespace spyglass::agent::python

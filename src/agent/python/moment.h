// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What Python knows at the instant of an occurrence: code, value, and access to the frame, which is
// found only when somebody asks. Lives on the stack of the source's callback; everything in it is
// borrowed and valid during the callback. GIL held. Each source (monitoring, frame evaluation)
// brings its own FrameAccess, because a frame that has not begun looks different in each version.
#pragma once

#include "agent/domain.h"
#include "agent/python/capi.h"

namespace spyglass::agent::python {

struct Moment;

/// No function here raises: a failure inside is cleared and answered as "not there".
struct FrameAccess {
    /// The named local: argument, local, cell or free variable, class or module namespace when that
    /// is the frame's locals. New reference, or null when unbound or no such name.
    PyObject* (*local)(const Moment&, PyObject* name);
    PyObject* (*globals)(const Moment&);   // borrowed dict
    PyObject* (*builtins)(const Moment&);  // borrowed dict or mapping
    PyObject* (*frame)(const Moment&);     // new reference to the frame object; may be null
    PyObject* (*caller)(const Moment&);    // new reference to the next outer frame; may be null
    int (*line)(const Moment&);            // current line of this frame
};

struct Moment : Occurrence {
    PyObject* code = nullptr;   // the code object
    PyObject* value = nullptr;  // returned, yielded, sent; the exception for unwind
    const FrameAccess* access = nullptr;
    void* native = nullptr;          // the source's own (frame pointer, cache of the frame)
    const void* identity = nullptr;  // of the frame, when known without making its object
};

inline const Moment& moment_of(const Occurrence& occurrence) {
    return static_cast<const Moment&>(occurrence);
}

}  // namespace spyglass::agent::python

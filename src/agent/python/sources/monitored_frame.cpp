// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/sources/monitored_frame.h"

#include "agent/python/code_state.h"

namespace spyglass::agent::python {

namespace {

bool runs(PyFrameObject* frame, PyObject* code) {
    return Ref::steal(reinterpret_cast<PyObject*>(api.PyFrame_GetCode(frame))).get() == code;
}

// The site's frame is the running one in the callback, but further out when an action asks: the
// action, and functions that it calls, have frames of their own by then.
PyFrameObject* frame_of(const Moment& moment) {
    auto& known = *static_cast<MonitoredFrame*>(moment.native);
    if (known.frame) return known.frame;
    PyFrameObject* frame = api.PyEval_GetFrame();
    while (frame && !runs(frame, moment.code)) {
        // Borrowed after this: an outer frame that is being executed owns its object.
        frame = api.PyFrame_GetBack(frame);
        if (frame) api.Py_DecRef(reinterpret_cast<PyObject*>(frame));
    }
    known.frame = frame;
    return frame;
}

// Owned by the frame: borrowed from it.
PyObject* kept_by_frame(PyObject* new_reference) {
    if (!new_reference) {
        api.PyErr_Clear();
        return nullptr;
    }
    api.Py_DecRef(new_reference);
    return new_reference;
}

PyObject* globals(const Moment& moment) {
    PyFrameObject* const frame = frame_of(moment);
    return frame ? kept_by_frame(api.PyFrame_GetGlobals(frame)) : nullptr;
}

PyObject* builtins(const Moment& moment) {
    PyFrameObject* const frame = frame_of(moment);
    return frame ? kept_by_frame(api.PyFrame_GetBuiltins(frame)) : nullptr;
}

PyObject* local(const Moment& moment, PyObject* name) {
    PyFrameObject* const frame = frame_of(moment);
    if (!frame) return nullptr;
    PyObject* value = nullptr;
    if (code_state(moment).flags & CodeState::optimized) {
        value = api.PyFrame_GetVar(frame, name);
    } else if (const Ref mapping = Ref::steal(api.PyFrame_GetLocals(frame))) {
        // A module's or a class body's namespace.
        value = api.PyObject_GetItem(mapping.get(), name);
    }
    if (!value) api.PyErr_Clear();
    return value;
}

PyObject* frame_object(const Moment& moment) {
    auto* const frame = reinterpret_cast<PyObject*>(frame_of(moment));
    if (frame) api.Py_IncRef(frame);
    return frame;
}

PyObject* caller(const Moment& moment) {
    PyFrameObject* const frame = frame_of(moment);
    return frame ? reinterpret_cast<PyObject*>(api.PyFrame_GetBack(frame)) : nullptr;
}

int line(const Moment& moment) {
    PyFrameObject* const frame = frame_of(moment);
    return frame ? api.PyFrame_GetLineNumber(frame) : 0;
}

}  // namespace

constinit const FrameAccess monitored_frame_access{local,        globals, builtins,
                                                   frame_object, caller,  line};

}  // namespace spyglass::agent::python

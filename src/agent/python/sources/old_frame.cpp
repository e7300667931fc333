// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/sources/old_frame.h"

#include <cstring>

#include "agent/python/code_state.h"
#include "agent/python/sources/old_thread.h"

namespace spyglass::agent::python {

namespace {

constexpr int8_t suspended_state = -1;          // FRAME_SUSPENDED, 3.10 and 3.11
constexpr char owned_by_thread = 0;             // FRAME_OWNED_BY_THREAD, 3.11
constexpr unsigned char kind_cell = 0x40;       // CO_FAST_CELL, 3.11
constexpr unsigned char kind_free = 0x80;       // CO_FAST_FREE, 3.11
constexpr unsigned char return_generator = 75;  // opcode of 3.11, never specialised

bool has_interpreter_frames() {
    return old_layout->minor >= 11;
}

// In bytes from the first instruction; negative before that.
int last_instruction(const void* frame) {
    if (has_interpreter_frames()) {
        const char* const first =
            reinterpret_cast<const char*>(code_of_frame(frame)) + old_layout->code.instructions;
        return static_cast<int>(field_at<const char*>(frame, old_layout->frame.last_instruction) -
                                first);
    }
    const int unit = old_layout->minor == 10 ? 2 : 1;
    return field_at<int>(frame, old_layout->frame.last_instruction) * unit;
}

const OldFrame& native(const Moment& moment) {
    return *static_cast<const OldFrame*>(moment.native);
}

Py_ssize_t index_of(PyObject* names, PyObject* name) {
    const Py_ssize_t count = api.PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < count; ++i) {
        if (api.PyTuple_GetItem(names, i) == name) return i;
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        if (api.PyUnicode_Compare(api.PyTuple_GetItem(names, i), name) == 0) return i;
    }
    return -1;
}

PyObject* content(PyObject* cell) {
    return cell && is_exactly(cell, api.PyCell_Type) ? api.PyCell_Get(cell) : nullptr;
}

PyObject* new_reference(PyObject* object) {
    if (object) api.Py_IncRef(object);
    return object;
}

PyObject** fast_locals(const void* frame) {
    return &field_at<PyObject*>(frame, old_layout->frame.fast_locals);
}

// co_varnames, then co_cellvars, then co_freevars, each with its place; an argument that is also a
// cell has been moved there.
PyObject* fast_local_in_object(const void* frame, PyObject* code, PyObject* name) {
    PyObject* const names = field_at<PyObject*>(code, old_layout->code.local_names);
    PyObject* const cells = field_at<PyObject*>(code, old_layout->code.cell_names);
    PyObject* const free = field_at<PyObject*>(code, old_layout->code.free_names);
    PyObject** const values = fast_locals(frame);
    const Py_ssize_t names_count = api.PyTuple_Size(names);
    if (const Py_ssize_t i = index_of(names, name); i >= 0 && values[i])
        return new_reference(values[i]);
    if (const Py_ssize_t i = index_of(cells, name); i >= 0) return content(values[names_count + i]);
    const Py_ssize_t i = index_of(free, name);
    return i >= 0 ? content(values[names_count + api.PyTuple_Size(cells) + i]) : nullptr;
}

// Before MAKE_CELL and COPY_FREE_VARS have run, a cell's place holds the plain argument, and free
// variables are the function's closure.
PyObject* fast_local_in_interpreter(const void* frame, PyObject* code, PyObject* name) {
    PyObject* const names = field_at<PyObject*>(code, old_layout->code.local_names);
    const Py_ssize_t i = index_of(names, name);
    char* kinds = nullptr;
    Py_ssize_t count = 0;
    if (i < 0 ||
        api.PyBytes_AsStringAndSize(field_at<PyObject*>(code, old_layout->code.local_kinds), &kinds,
                                    &count) != 0) {
        return nullptr;
    }
    PyObject* const value = fast_locals(frame)[i];
    const auto kind = static_cast<unsigned char>(kinds[i]);
    if (!(kind & (kind_cell | kind_free))) return new_reference(value);
    if (last_instruction(frame) >= 0) return content(value);
    if (kind & kind_cell) return new_reference(value);
    PyObject* const function = field_at<PyObject*>(frame, old_layout->frame.function);
    PyObject* const closure = field_at<PyObject*>(function, old_layout->function_closure);
    if (!closure) return nullptr;
    // Free variables stand last, in the closure's order.
    return content(api.PyTuple_GetItem(closure, i - (count - api.PyTuple_Size(closure))));
}

PyObject* local(const Moment& moment, PyObject* name) {
    const void* const frame = native(moment).frame;
    PyObject* value = nullptr;
    if (!(code_state(moment).flags & CodeState::optimized)) {
        PyObject* const mapping = field_at<PyObject*>(frame, old_layout->frame.locals);
        if (mapping) value = api.PyObject_GetItem(mapping, name);
        if (!value) api.PyErr_Clear();
    }
    if (!value) {
        value = has_interpreter_frames() ? fast_local_in_interpreter(frame, moment.code, name)
                                         : fast_local_in_object(frame, moment.code, name);
    }
    if (!value) api.PyErr_Clear();
    return value;
}

PyObject* globals(const Moment& moment) {
    return field_at<PyObject*>(native(moment).frame, old_layout->frame.globals);
}

PyObject* builtins(const Moment& moment) {
    return field_at<PyObject*>(native(moment).frame, old_layout->frame.builtins);
}

PyObject* object_of(void* frame) {
    if (!frame || !has_interpreter_frames()) return static_cast<PyObject*>(frame);
    return field_at<PyObject*>(frame, old_layout->frame.object);
}

PyObject* frame_object(const Moment& moment) {
    return new_reference(object_of(native(moment).frame));
}

PyObject* caller(const Moment& moment) {
    void* const wanted = native(moment).caller;
    if (!has_interpreter_frames()) return new_reference(static_cast<PyObject*>(wanted));
    // Frame objects are made on the way: from the running frame, which may be the action's own.
    Ref object = Ref::borrow(reinterpret_cast<PyObject*>(wanted ? api.PyEval_GetFrame() : nullptr));
    while (object) {
        auto* const frame = reinterpret_cast<PyFrameObject*>(object.get());
        if (frame_of_object(frame) == wanted) break;
        object = Ref::steal(reinterpret_cast<PyObject*>(api.PyFrame_GetBack(frame)));
    }
    return object.release();
}

int line(const Moment& moment) {
    return api.PyCode_Addr2Line(reinterpret_cast<PyCodeObject*>(moment.code),
                                last_instruction(native(moment).frame));
}

}  // namespace

constinit const FrameAccess old_frame_access{local, globals, builtins, frame_object, caller, line};

void* frame_of_object(PyFrameObject* object) {
    return has_interpreter_frames() ? field_at<void*>(object, old_layout->frame_object_frame)
                                    : object;
}

bool is_new_frame(const void* frame) {
    if (last_instruction(frame) < 0) return true;
    // In 3.11 a generator that was never resumed stands behind the instruction that made it.
    return has_interpreter_frames() &&
           *field_at<const unsigned char*>(frame, old_layout->frame.last_instruction) ==
               return_generator;
}

bool only_makes_generator(const void* frame, uint32_t code_flags) {
    return has_interpreter_frames() && (code_flags & CodeState::suspends) != 0 &&
           field_at<char>(frame, old_layout->frame.owner) == owned_by_thread;
}

bool is_suspended(const void* frame) {
    if (has_interpreter_frames()) {
        const char* const generator = static_cast<const char*>(frame) - old_layout->generator.frame;
        return field_at<int8_t>(generator, old_layout->generator.state) == suspended_state;
    }
    if (old_layout->minor == 10) {
        return field_at<int8_t>(frame, old_layout->frame.suspension) == suspended_state;
    }
    // f_stacktop: kept by a yield, cleared by every other way out.
    return field_at<void*>(frame, old_layout->frame.suspension) != nullptr;
}

PyObject* unboxed_yield(PyObject* value) {
    // _PyAsyncGenWrappedValue of Objects/genobject.c: its type is not exported.
    static PyTypeObject* box = nullptr;
    PyTypeObject* const type = Py_TYPE(value);
    if (type != box) {
        if (strcmp(field_at<const char*>(type, old_layout->type.name),
                   "async_generator_wrapped_value") != 0) {
            return value;
        }
        box = type;
    }
    return field_at<PyObject*>(value, sizeof(PyObject));
}

}  // namespace spyglass::agent::python

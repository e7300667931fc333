// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where CPython 3.8 to 3.11 keep what no exported function tells about threads, frames, generators,
// code objects and types. These versions get no new features, so their structs do not change any
// more; newer ones are never reached this way. Byte offsets, for 64-bit builds without
// Py_TRACE_REFS. Sources: Include/cpython/pystate.h (_ts, _cframe),
// Include/[cpython/]frameobject.h, Include/internal/pycore_{pystate,interp,runtime,frame}.h,
// genobject.h, code.h, object.h of each; tests/agent/test_old_layouts.py compares every number with
// those headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"

namespace spyglass::agent::python {

inline constexpr uint16_t absent = 0xffff;

struct OldLayout {
    unsigned minor;
    struct {
        uint16_t interpreter, recursion, tracing, profile_function, trace_function, trace_object,
            thread_id;
        uint16_t frame;        // to 3.10
        uint16_t use_tracing;  // to 3.9
        uint16_t cframe;       // since 3.10
    } thread;
    struct {
        uint16_t use_tracing;    // int in 3.10, one byte in 3.11
        uint16_t current_frame;  // 3.11
    } cframe;
    uint16_t interpreter_eval_frame;    // 3.8; an exported function since
    uint16_t runtime_tracing_possible;  // 3.8: threads with a trace function, counted per process
    uint16_t interpreter_tracing_possible;  // 3.9: the same, counted per interpreter
    // PyFrameObject to 3.10; _PyInterpreterFrame in 3.11.
    struct {
        uint16_t code, globals, builtins, locals, outer, last_instruction, fast_locals;
        uint16_t suspension;               // f_stacktop in 3.8 and 3.9, f_state in 3.10
        uint16_t function, object, owner;  // 3.11
    } frame;
    uint16_t frame_object_frame;  // 3.11: f_frame of PyFrameObject
    struct {
        uint16_t state, frame;  // 3.11
    } generator;
    struct {
        uint16_t flags, constants;
        uint16_t local_names;                // co_varnames; co_localsplusnames in 3.11
        uint16_t cell_names, free_names;     // to 3.10
        uint16_t local_kinds, instructions;  // 3.11
    } code;
    uint16_t function_closure;  // 3.11
    struct {
        uint16_t name, dict, mro;
    } type;
};

/// Of the running interpreter; null until choose_old_layout() succeeded.
extern const OldLayout* old_layout;

/// Fails, saying why, when the interpreter is none of these or was built in another way. GIL held.
Result<void> choose_old_layout();

template <class Field>
Field& field_at(const void* object, uint16_t offset) {
    return *reinterpret_cast<Field*>(reinterpret_cast<uintptr_t>(object) + offset);
}

}  // namespace spyglass::agent::python

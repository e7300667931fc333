// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What we keep about a code object, in the extra slot that CPython gives to tools (PEP 523;
// PyUnstable_Code_SetExtra): found by one call, freed with the code object, so that a reused
// address never shows a stale name. The slot's index is asked for once per loaded image: there is
// no way to give one back. GIL held (on free-threaded builds the slot is not safe before 3.15: not
// supported).
#pragma once

#include "agent/python/names.h"
#include "base/result.h"

namespace spyglass::agent::python {

struct CodeState : Region {
    PyObject* code = nullptr;  // borrowed: the code object owns us
    uint32_t flags = 0;        // co_flags
    EventMask watched = 0;     // what the observer wants, and what keeping executions needs
    bool named = false;
    Names names;
    CodeState* previous = nullptr;
    CodeState* next = nullptr;

    static constexpr uint32_t optimized = 0x1;  // CO_OPTIMIZED: locals are not a mapping
    static constexpr uint32_t has_varargs = 0x4;
    static constexpr uint32_t has_varkeywords = 0x8;
    static constexpr uint32_t async_generator = 0x200;
    static constexpr uint32_t suspends =
        0x20 | 0x80 | 0x200;  // generator, coroutine, async generator
};

/// Before any other call; again harmless.
Result<void> reserve_code_slot();

/// Null when there is none yet.
CodeState* find_code_state(PyObject* code);
/// Null only when memory is exhausted.
CodeState* code_state_of(PyObject* code);

/// Frees every state, unless `keep` says that somebody may still be looking at one; then they are
/// kept, inert, until the next call.
void retire_code_states(bool keep);

/// Who is told when a code object with a state is freed; null: nobody.
void set_forget(void (*forget)(Region&));

inline CodeState& code_state(const Moment& moment) {
    return *static_cast<CodeState*>(moment.region);
}

}  // namespace spyglass::agent::python

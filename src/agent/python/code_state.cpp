// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/code_state.h"

#include <new>

#include "agent/python/text.h"

namespace spyglass::agent::python {

namespace {

Py_ssize_t slot_index = -1;
CodeState* first_state = nullptr;
void (*forget_region)(Region&) = nullptr;

// CPython calls this when the code object is freed, and when the slot is overwritten.
void free_state(void* extra) {
    auto* const state = static_cast<CodeState*>(extra);
    if (!state) return;
    if (forget_region) forget_region(*state);
    if (state->previous) state->previous->next = state->next;
    if (state->next) state->next->previous = state->previous;
    if (first_state == state) first_state = state->next;
    PyObject* const name = state->names.name_object;
    PyObject* const qpath = state->names.qpath_object;
    delete state;
    if (name) api.Py_DecRef(name);
    if (qpath) api.Py_DecRef(qpath);
}

}  // namespace

Result<void> reserve_code_slot() {
    if (slot_index >= 0) return {};
    if (!api.PyUnstable_Eval_RequestCodeExtraIndex || !api.PyUnstable_Code_SetExtra) {
        return Error("the interpreter has no extra slots in code objects");
    }
    slot_index = api.PyUnstable_Eval_RequestCodeExtraIndex(free_state);
    if (slot_index < 0) return Error("all extra slots of code objects are taken by other tools");
    return {};
}

CodeState* find_code_state(PyObject* code) {
    void* extra = nullptr;
    if (api.PyUnstable_Code_GetExtra(code, slot_index, &extra) != 0) {
        api.PyErr_Clear();
        return nullptr;
    }
    return static_cast<CodeState*>(extra);
}

CodeState* code_state_of(PyObject* code) {
    if (CodeState* const known = find_code_state(code)) return known;
    auto* const state = new (std::nothrow) CodeState;
    if (!state) return nullptr;
    state->code = code;
    if (const Ref flags = attribute(code, "co_flags")) {
        state->flags = static_cast<uint32_t>(api.PyLong_AsSsize_t(flags.get()));
    }
    if (api.PyUnstable_Code_SetExtra(code, slot_index, state) != 0) {
        api.PyErr_Clear();
        delete state;
        return nullptr;
    }
    state->next = first_state;
    if (first_state) first_state->previous = state;
    first_state = state;
    return state;
}

void retire_code_states(bool keep) {
    if (keep) return;
    while (first_state) {
        // Overwriting the slot frees what it held (Objects/codeobject.c).
        CodeState* const state = first_state;
        if (api.PyUnstable_Code_SetExtra(state->code, slot_index, nullptr) != 0) {
            api.PyErr_Clear();
            return;
        }
        if (first_state == state) free_state(state);
    }
}

void set_forget(void (*forget)(Region&)) {
    forget_region = forget;
}

}  // namespace spyglass::agent::python

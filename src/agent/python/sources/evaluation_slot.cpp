// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/sources/evaluation_slot.h"

#include "agent/guest/loaded_image.h"
#include "agent/python/capi.h"
#include "agent/python/sources/old_layouts.h"

namespace spyglass::agent::python {

namespace {

void* own_evaluation() {
    return reinterpret_cast<void*>(api._PyEval_EvalFrameDefault);
}

void*& field() {
    return field_at<void*>(api.PyInterpreterState_Main(), old_layout->interpreter_eval_frame);
}

bool is_a_field() {
    return old_layout->interpreter_eval_frame != absent;
}

}  // namespace

Result<void> check_evaluation_slot() {
    if (!own_evaluation()) return Error("the interpreter does not export its frame evaluation");
    if (!is_a_field()) {
        if (api._PyInterpreterState_GetEvalFrameFunc && api._PyInterpreterState_SetEvalFrameFunc)
            return {};
        return Error("the interpreter has no functions to set its frame evaluation");
    }
    // 3.8 fills the field when an interpreter begins; another tool may have put its own there.
    const auto held = reinterpret_cast<uint64_t>(field());
    if (field() == own_evaluation() || (held != 0 && LoadedImage::containing(held))) return {};
    return Error("the interpreter's frame evaluation is not where this version keeps it");
}

void* evaluation_function() {
    void* const function =
        is_a_field() ? field()
                     : api._PyInterpreterState_GetEvalFrameFunc(api.PyInterpreterState_Main());
    return function ? function : own_evaluation();
}

void set_evaluation_function(void* function) {
    if (is_a_field()) {
        field() = function;
    } else {
        api._PyInterpreterState_SetEvalFrameFunc(api.PyInterpreterState_Main(), function);
    }
}

}  // namespace spyglass::agent::python

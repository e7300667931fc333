// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/sources/old_layouts.h"

#include <pthread.h>

#include "agent/python/capi.h"

namespace spyglass::agent::python {

const OldLayout* old_layout = nullptr;

namespace {

// Designators stand in one order, so that the four columns can be compared.
constexpr OldLayout layouts[] = {
    {.minor = 8,
     .thread = {.interpreter = 16,
                .recursion = 32,
                .tracing = 44,
                .profile_function = 56,
                .trace_function = 64,
                .trace_object = 80,
                .thread_id = 176,
                .frame = 24,
                .use_tracing = 48,
                .cframe = absent},
     .cframe = {.use_tracing = absent, .current_frame = absent},
     .interpreter_eval_frame = 568,
     .runtime_tracing_possible = 588,
     .interpreter_tracing_possible = absent,
     .frame = {.code = 32,
               .globals = 48,
               .builtins = 40,
               .locals = 56,
               .outer = 24,
               .last_instruction = 104,
               .fast_locals = 360,
               .suspension = 72,
               .function = absent,
               .object = absent,
               .owner = absent},
     .frame_object_frame = absent,
     .generator = {.state = absent, .frame = absent},
     .code = {.flags = 36,
              .constants = 56,
              .local_names = 72,
              .cell_names = 88,
              .free_names = 80,
              .local_kinds = absent,
              .instructions = absent},
     .function_closure = absent,
     .type = {.name = 24, .dict = 264, .mro = 344}},
    {.minor = 9,
     .thread = {.interpreter = 16,
                .recursion = 32,
                .tracing = 44,
                .profile_function = 56,
                .trace_function = 64,
                .trace_object = 80,
                .thread_id = 176,
                .frame = 24,
                .use_tracing = 48,
                .cframe = absent},
     .cframe = {.use_tracing = absent, .current_frame = absent},
     .interpreter_eval_frame = absent,
     .runtime_tracing_possible = absent,
     .interpreter_tracing_possible = 68,
     .frame = {.code = 32,
               .globals = 48,
               .builtins = 40,
               .locals = 56,
               .outer = 24,
               .last_instruction = 104,
               .fast_locals = 360,
               .suspension = 72,
               .function = absent,
               .object = absent,
               .owner = absent},
     .frame_object_frame = absent,
     .generator = {.state = absent, .frame = absent},
     .code = {.flags = 36,
              .constants = 56,
              .local_names = 72,
              .cell_names = 88,
              .free_names = 80,
              .local_kinds = absent,
              .instructions = absent},
     .function_closure = absent,
     .type = {.name = 24, .dict = 264, .mro = 344}},
    {.minor = 10,
     .thread = {.interpreter = 16,
                .recursion = 32,
                .tracing = 44,
                .profile_function = 56,
                .trace_function = 64,
                .trace_object = 80,
                .thread_id = 176,
                .frame = 24,
                .use_tracing = absent,
                .cframe = 48},
     .cframe = {.use_tracing = 0, .current_frame = absent},
     .interpreter_eval_frame = absent,
     .runtime_tracing_possible = absent,
     .interpreter_tracing_possible = absent,
     .frame = {.code = 32,
               .globals = 48,
               .builtins = 40,
               .locals = 56,
               .outer = 24,
               .last_instruction = 96,
               .fast_locals = 352,
               .suspension = 108,
               .function = absent,
               .object = absent,
               .owner = absent},
     .frame_object_frame = absent,
     .generator = {.state = absent, .frame = absent},
     .code = {.flags = 36,
              .constants = 56,
              .local_names = 72,
              .cell_names = 88,
              .free_names = 80,
              .local_kinds = absent,
              .instructions = absent},
     .function_closure = absent,
     .type = {.name = 24, .dict = 264, .mro = 344}},
    {.minor = 11,
     .thread = {.interpreter = 16,
                .recursion = 32,
                .tracing = 44,
                .profile_function = 64,
                .trace_function = 72,
                .trace_object = 88,
                .thread_id = 152,
                .frame = absent,
                .use_tracing = absent,
                .cframe = 56},
     .cframe = {.use_tracing = 0, .current_frame = 8},
     .interpreter_eval_frame = absent,
     .runtime_tracing_possible = absent,
     .interpreter_tracing_possible = absent,
     .frame = {.code = 32,
               .globals = 8,
               .builtins = 16,
               .locals = 24,
               .outer = 48,
               .last_instruction = 56,
               .fast_locals = 72,
               .suspension = absent,
               .function = 0,
               .object = 40,
               .owner = 69},
     .frame_object_frame = 24,
     .generator = {.state = 75, .frame = 80},
     .code = {.flags = 48,
              .constants = 24,
              .local_names = 96,
              .cell_names = absent,
              .free_names = absent,
              .local_kinds = 104,
              .instructions = 184},
     .function_closure = 72,
     .type = {.name = 24, .dict = 264, .mro = 344}},
};

}  // namespace

Result<void> choose_old_layout() {
    const unsigned minor = (api.version_hex >> 16) & 0xff;
    const OldLayout* chosen = nullptr;
    for (const OldLayout& each : layouts) {
        if (api.version_hex >> 24 == 3 && each.minor == minor) chosen = &each;
    }
    if (!chosen) return Error("the layout of this interpreter's frames is not known");
    if (api.PySys_GetObject("getobjects")) {
        return Error(
            "the interpreter was built with Py_TRACE_REFS, which gives every object another "
            "layout");
    }
    // Two fields whose values are known tell a build with other structs from the usual one.
    const PyThreadState* const here = api.PyThreadState_Get();
    if (field_at<PyInterpreterState*>(here, chosen->thread.interpreter) !=
            api.PyInterpreterState_Main() ||
        field_at<unsigned long>(here, chosen->thread.thread_id) !=
            static_cast<unsigned long>(pthread_self())) {
        return Error("the interpreter's thread states are laid out in a way that is not known");
    }
    old_layout = chosen;
    return {};
}

}  // namespace spyglass::agent::python

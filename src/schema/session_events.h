// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Events of the process's stream: what the numbers in the threads' streams mean, how the recording
// went, and its totals.
#pragma once

#include "schema/event.h"

namespace spyglass::schema {

enum class ProcessEventId : uint8_t {
    function_definition,
    callee_definition,
    thread_definition,
    domain_mode,
    function_totals,
    recording_begin,
    recording_end,
};

}  // namespace spyglass::schema

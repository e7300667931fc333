// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Events of a thread's stream. A function's end carries no region: it ends the execution that
// began, or was resumed, last and is still open on this thread, which makes it half as large.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace spyglass::schema {

enum class ThreadEventId : uint8_t {
    function_begin,
    function_end,
    function_unwind,
    function_suspend,
    function_resume,
    c_call_begin,
    c_call_end,
    c_call_unwind,
    import_begin,
    import_end,
};

/// Payload of function_begin and function_resume.
struct RegionPayload {
    uint32_t region;  // as in function_definition
};
/// Payload of c_call_begin.
struct CalleePayload {
    uint32_t callee;  // as in callee_definition
};

}  // namespace spyglass::schema

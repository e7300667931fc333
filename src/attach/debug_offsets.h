// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where things are inside a live interpreter. From 3.13 on the runtime says it itself: the
// `_Py_DebugOffsets` at the start of `_PyRuntime` (cookie "xdebugpy"; PEP 768;
// Include/internal/pycore_debug_offsets.h of 3.13, 3.14, 3.15). For 3.8 to 3.12, which are frozen,
// the few offsets that attaching needs are constants here. Everything read is untrusted.
#pragma once

#include <cstdint>
#include <optional>

#include "attach/remote_memory.h"
#include "attach/target.h"

namespace spyglass::attach {

struct DebugOffsets {
    uint32_t version_hex = 0;
    bool free_threaded = false;
    uint64_t runtime_finalizing = 0;
    uint64_t runtime_interpreters_head = 0;
    uint64_t interpreter_id = 0;
    uint64_t interpreter_next = 0;
    uint64_t interpreter_threads_head = 0;
    uint64_t thread_next = 0;
    uint64_t thread_native_id = 0;

    /// PEP 768; absent before 3.14.
    struct RemoteDebugging {
        uint64_t eval_breaker = 0;  // in the thread state
        uint64_t support = 0;       // in the thread state
        uint64_t enabled = 0;       // in the interpreter state: int
        uint64_t pending_call = 0;  // in support: int32
        uint64_t script_path = 0;   // in support: char[]
        uint64_t script_path_bytes = 0;
    };
    std::optional<RemoteDebugging> remote_debugging;
};

/// Empty when the runtime carries no offsets (before 3.13) or they make no sense.
std::optional<DebugOffsets> read_debug_offsets(const RemoteMemory& memory, uint64_t remote_runtime);

/// Initialised and not finalising: an interpreter that can be asked to do something.
bool interpreter_is_live(const RemoteMemory& memory, const Runtime& runtime);

}  // namespace spyglass::attach

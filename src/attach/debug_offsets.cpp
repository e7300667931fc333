// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/debug_offsets.h"

#include <cstring>

namespace spyglass::attach {

namespace {

constexpr char cookie[8] = {'x', 'd', 'e', 'b', 'u', 'g', 'p', 'y'};
constexpr uint64_t max_plausible_offset = 1 << 20;

// Byte positions within _Py_DebugOffsets. The leading part is the same in 3.13, 3.14 and 3.15; the
// debugger support moves as structures before it grow.
constexpr uint64_t at_version = 8;
constexpr uint64_t at_free_threaded = 16;
constexpr uint64_t at_runtime_finalizing = 32;
constexpr uint64_t at_interpreters_head = 40;
constexpr uint64_t at_interpreter_id = 56;
constexpr uint64_t at_interpreter_next = 64;
constexpr uint64_t at_threads_head = 72;

struct MinorLayout {
    unsigned minor;
    uint64_t at_thread_next;
    uint64_t at_thread_native_id;
    uint64_t at_debugger_support;  // 0: none
    uint64_t bytes;
};
constexpr MinorLayout layouts[] = {
    {15, 192, 248, 840, 888},
    {14, 192, 224, 712, 760},
    {13, 168, 200, 0, 584},
};

uint64_t word(const unsigned char* bytes, uint64_t at) {
    uint64_t value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

// Position of `int initialized` and of `finalizing` in _PyRuntimeState for versions without
// offsets: pycore_pystate.h (3.8), pycore_runtime.h (3.9 to 3.12). In 3.8 alone, pending calls end
// before: from then on (`ceval.pending.finishing`) Py_AddPendingCall prints an error.
struct FrozenLayout {
    unsigned minor;
    uint64_t initialized;
    uint64_t finalizing;
    uint64_t pending_finishing = 0;
};
constexpr FrozenLayout frozen_layouts[] = {
    {8, 12, 16, 600}, {9, 12, 16}, {10, 12, 16}, {11, 16, 24}, {12, 16, 24}};

}  // namespace

std::optional<DebugOffsets> read_debug_offsets(const RemoteMemory& memory,
                                               uint64_t remote_runtime) {
    unsigned char untrusted_bytes[1024];
    if (!memory.read(remote_runtime, untrusted_bytes, sizeof untrusted_bytes)) return std::nullopt;
    if (memcmp(untrusted_bytes, cookie, sizeof cookie) != 0) return std::nullopt;
    const auto version = static_cast<uint32_t>(word(untrusted_bytes, at_version));
    const MinorLayout* layout = nullptr;
    for (const MinorLayout& each : layouts) {
        if (version >> 24 == 3 && (version >> 16 & 255) == each.minor) layout = &each;
    }
    if (!layout) return std::nullopt;

    DebugOffsets offsets;
    offsets.version_hex = version;
    offsets.free_threaded = word(untrusted_bytes, at_free_threaded) != 0;
    offsets.runtime_finalizing = word(untrusted_bytes, at_runtime_finalizing);
    offsets.runtime_interpreters_head = word(untrusted_bytes, at_interpreters_head);
    offsets.interpreter_id = word(untrusted_bytes, at_interpreter_id);
    offsets.interpreter_next = word(untrusted_bytes, at_interpreter_next);
    offsets.interpreter_threads_head = word(untrusted_bytes, at_threads_head);
    offsets.thread_next = word(untrusted_bytes, layout->at_thread_next);
    offsets.thread_native_id = word(untrusted_bytes, layout->at_thread_native_id);
    for (const uint64_t each :
         {offsets.runtime_finalizing, offsets.interpreter_id, offsets.thread_next}) {
        if (each > max_plausible_offset) return std::nullopt;
    }
    if (layout->at_debugger_support != 0) {
        const unsigned char* const at = untrusted_bytes + layout->at_debugger_support;
        const DebugOffsets::RemoteDebugging remote{word(at, 0),  word(at, 8),  word(at, 16),
                                                   word(at, 24), word(at, 32), word(at, 40)};
        if (remote.support < max_plausible_offset && remote.script_path_bytes <= 4096) {
            offsets.remote_debugging = remote;
        }
    }
    return offsets;
}

bool interpreter_is_live(const RemoteMemory& memory, const Runtime& runtime) {
    uint64_t initialized_at = 0;
    uint64_t finalizing_at = 0;
    uint64_t finishing_at = 0;
    if (const auto offsets = read_debug_offsets(memory, runtime.remote_runtime)) {
        finalizing_at = offsets->runtime_finalizing;
        initialized_at =
            finalizing_at - 8;  // the two stand side by side (pycore_runtime_structs.h)
    } else {
        for (const FrozenLayout& each : frozen_layouts) {
            if ((runtime.version_hex >> 16 & 255) != each.minor) continue;
            initialized_at = each.initialized;
            finalizing_at = each.finalizing;
            finishing_at = each.pending_finishing;
        }
    }
    if (initialized_at == 0) return false;
    const auto initialized = memory.get<int32_t>(runtime.remote_runtime + initialized_at);
    const auto finalizing = memory.get<uint64_t>(runtime.remote_runtime + finalizing_at);
    if (!initialized || *initialized != 1 || !finalizing || *finalizing != 0) return false;
    if (finishing_at == 0) return true;
    const auto finishing = memory.get<int32_t>(runtime.remote_runtime + finishing_at);
    return finishing && *finishing == 0;
}

}  // namespace spyglass::attach

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The probe engine: one program on one process. The lifecycle drives it; it arms the Python domain,
// runs actions, aggregates into the arena, prints into the sink. It knows no socket and no thread
// of ours. One engine at a time in a process.
//
// GIL held in every call. No exception state is left behind. `on_exit_requested` is called from an
// action's thread (GIL held) when exit() is called or the action asks to end: it must only wake
// whoever will call remove().
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agent/backends/text_sink.h"
#include "base/result.h"
#include "plan/plan.h"

namespace spyglass::agent::probes {

struct EngineOptions {
    backends::TextSink* sink = nullptr;
    std::span<std::byte> arena;  // aggregate arena in the session's memory, zeroed
    uint64_t max_map_keys = 1'048'576;
    bool drop_instead_of_wait = false;
    void (*on_exit_requested)() = nullptr;
};

struct InstallFailure {
    uint32_t clause = 0xffffffff;  // none: the failure is not about a clause
    uint32_t line = 0;
    uint32_t column = 0;
    bool in_predicate = false;
    std::string text;
};

struct ClauseTotals {
    uint64_t hits = 0;
    uint64_t sites = 0;
    uint64_t errors = 0;
    uint64_t skipped = 0;
    std::string nearest_name;
};

/// Compiles every clause, runs BEGIN in program order, arms. On failure nothing is left installed.
/// If BEGIN calls exit(), returns normally with exit requested and nothing armed.
std::optional<InstallFailure> install(const plan::Program& program, const EngineOptions& options);
/// After install(): BEGIN called exit(), so the probes were never live.
bool ended_by_begin();

/// Disarms, runs END actions in program order (unless nobody listens any more), frees every Python
/// object. Idempotent.
std::vector<ClauseTotals> remove(bool run_end);

/// In a forked child, from an atfork handler on the forking thread (which may not hold the GIL and
/// must not call Python): stop hearing; what can be freed only with the GIL stays.
void abandon_after_fork();

/// Called about every 100 ms by the control thread WITHOUT the GIL: true when some action has been
/// running longer than `limit_ns`; then call interrupt_overdue() with the GIL held.
bool action_overdue(uint64_t limit_ns);
void interrupt_overdue(uint64_t limit_ns);

/// Every probe site that matches, as sorted lines; for `line` the source files of modules.
Result<std::vector<std::string>> list_sites(const plan::ListingFilter& filter);

}  // namespace spyglass::agent::probes

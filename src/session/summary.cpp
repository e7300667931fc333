// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "session/summary.h"

#include "aggregate/snapshot.h"

namespace spyglass::session {

namespace {

// 12403 -> "12,403"
std::string grouped(uint64_t number) {
    std::string text = std::to_string(number);
    for (size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

uint64_t at_or_zero(const std::vector<uint64_t>& values, size_t index) {
    return index < values.size() ? values[index] : 0;
}

bool is_hook(const plan::Clause& clause) {
    for (const plan::Site& site : clause.sites) {
        if (site.kind != plan::SiteKind::begin && site.kind != plan::SiteKind::end) return false;
    }
    return true;
}

}  // namespace

void show_maps(output::Report& report, const SharedMemory& memory) {
    const auto maps = aggregate::snapshot(memory.arena());
    if (!maps) {
        report.said(maps.error().message());
        return;
    }
    for (const aggregate::MapSnapshot& map : *maps) {
        if (!map.entries.empty() || map.overflowed != 0) report.map(map);
    }
    report.flush();
}

void show_losses(output::Report& report, const SharedMemory& memory, const plan::Program& program,
                 const Outcome& outcome, bool quiet) {
    if (const uint64_t dropped = memory.header()->dropped.load(); dropped != 0) {
        report.said(grouped(dropped) +
                    " prints were lost: they came faster than they could be shown.");
    }
    if (!outcome.ended) return;
    for (size_t i = 0; i < program.clauses.size(); ++i) {
        const plan::Clause& clause = program.clauses[i];
        const std::string spec = clause.sites.front().text;
        if (const uint64_t errors = at_or_zero(outcome.ended->clause_errors, i); errors > 1) {
            report.said("Probe action failed: " + spec + " (repeated " + grouped(errors - 1) +
                        " times)");
        }
        if (quiet) continue;
        if (const uint64_t skipped = at_or_zero(outcome.ended->clause_skipped, i); skipped != 0) {
            report.said(grouped(skipped) + " firings of " + spec +
                        " were left out: they began before tracing, so elapsed() is not known.");
        }
        if (is_hook(clause) || at_or_zero(outcome.ended->clause_sites, i) != 0) continue;
        std::string sentence = "Nothing that ran matched " + spec + ".";
        if (i < outcome.ended->nearest_names.size() && !outcome.ended->nearest_names[i].empty()) {
            sentence += " Did you mean " + outcome.ended->nearest_names[i] + "?";
        }
        report.said(sentence);
    }
}

}  // namespace spyglass::session

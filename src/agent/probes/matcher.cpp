// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/matcher.h"

#include <algorithm>
#include <optional>

#include "base/glob.h"

namespace spyglass::agent::probes {

namespace {

std::optional<RegionEvent> event_of(plan::SiteKind kind) {
    switch (kind) {
        case plan::SiteKind::func_start:
            return RegionEvent::start;
        case plan::SiteKind::func_yield:
            return RegionEvent::yield;
        case plan::SiteKind::func_resume:
            return RegionEvent::resume;
        case plan::SiteKind::func_return:
            return RegionEvent::ret;
        case plan::SiteKind::func_unwind:
            return RegionEvent::unwind;
        case plan::SiteKind::line:
            return RegionEvent::line;
        case plan::SiteKind::begin:
        case plan::SiteKind::end:
            return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

Matcher::Matcher(const plan::Program& program, std::string working_directory)
    : working_directory_(std::move(working_directory)) {
    for (uint32_t i = 0; i < program.clauses.size(); ++i) {
        for (const plan::Site& site : program.clauses[i].sites) {
            if (const auto event = event_of(site.kind)) {
                wanted_.push_back({&site, i});
                events_ = static_cast<EventMask>(events_ | mask_of(*event));
            }
        }
    }
}

bool Matcher::qpath_matches(const std::string& pattern, const python::Names& names) {
    if (glob_matches(pattern, names.qpath)) return true;
    return names.module == "__main__" && glob_matches(pattern, names.qualname);
}

bool Matcher::path_matches(const std::string& pattern, const std::string& filename) const {
    if (glob_matches(pattern, filename)) return true;
    if (pattern.front() == '/' || pattern.front() == '*') return false;
    // Relative to the target's working directory. A script's own file name is as it was typed.
    const bool is_absolute = !filename.empty() && filename.front() == '/';
    if (!is_absolute) return false;
    const std::string prefix = working_directory_ == "/" ? "/" : working_directory_ + "/";
    return filename.compare(0, prefix.size(), prefix) == 0 &&
           glob_matches(pattern, filename.substr(prefix.size()));
}

EventMask Matcher::match(const python::Names& names, RegionPlan& plan) const {
    EventMask events = 0;
    for (const Wanted& each : wanted_) {
        const plan::Site& site = *each.site;
        const RegionEvent event = *event_of(site.kind);
        if (event == RegionEvent::line) {
            const bool absolute_of_relative =
                !names.filename.empty() && names.filename.front() != '/' &&
                path_matches(site.pattern, working_directory_ + "/" + names.filename);
            if (!path_matches(site.pattern, names.filename) && !absolute_of_relative) continue;
            const bool every = site.first_line == 0 && site.last_line == 0;
            plan.lines.push_back(
                {every ? 1 : site.first_line, every ? ~0u : site.last_line, each.clause});
        } else {
            if (!qpath_matches(site.pattern, names)) continue;
            auto& clauses = plan.by_event[static_cast<unsigned>(event)];
            if (!clauses.empty() && clauses.back() == each.clause)
                continue;  // two specs of one clause
            clauses.push_back(each.clause);
        }
        events = static_cast<EventMask>(events | mask_of(event));
    }
    return events;
}

}  // namespace spyglass::agent::probes

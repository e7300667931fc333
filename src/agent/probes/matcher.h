// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which clauses want which code: the rules of QPATH and PATH. Knows names, not frames. Built once
// per program; relative paths are relative to the working directory at that time. Any thread.
#pragma once

#include <string>
#include <vector>

#include "agent/domain.h"
#include "agent/python/names.h"
#include "plan/plan.h"

namespace spyglass::agent::probes {

struct LineRange {
    uint32_t first = 0;
    uint32_t last = 0;  // inclusive
    uint32_t clause = 0;
};

/// What is wanted of one piece of code: clause numbers by event, in program order.
struct RegionPlan {
    std::vector<uint32_t> by_event[region_event_count];
    std::vector<LineRange> lines;
};

class Matcher {
  public:
    Matcher() = default;
    Matcher(const plan::Program& program, std::string working_directory);

    /// Every event that some code might want.
    EventMask events() const { return events_; }

    /// Empty plan: nothing wanted.
    EventMask match(const python::Names& names, RegionPlan& plan) const;

    static bool qpath_matches(const std::string& pattern, const python::Names& names);
    bool path_matches(const std::string& pattern, const std::string& filename) const;

  private:
    struct Wanted {
        const plan::Site* site;
        uint32_t clause;
    };
    std::vector<Wanted> wanted_;
    std::string working_directory_;
    EventMask events_ = 0;
};

}  // namespace spyglass::agent::probes

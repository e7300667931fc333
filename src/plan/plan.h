// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a probe program becomes: the contract between the language (which makes it) and the agent
// (which runs it). It knows neither the text's grammar nor the Python runtime. Crosses the control
// channel as bytes (encode.h, decode.h). Any thread; a Program owns everything in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spyglass::plan {

enum class SiteKind : uint8_t {
    begin,       // once, before the other probes are live
    end,         // once, when tracing ends
    func_start,  // pattern: QPATH glob
    func_yield,
    func_resume,
    func_return,
    func_unwind,
    line,  // pattern: PATH glob; lines first_line..last_line
};
inline constexpr uint8_t site_kind_count = 8;

/// One `name:arg1:arg2` of a clause.
struct Site {
    SiteKind kind = SiteKind::begin;
    std::string pattern;      // as written; never empty for func and line ("*" stands for empty)
    uint32_t first_line = 0;  // line sites only; 0 with last_line 0: every line
    uint32_t last_line = 0;
    std::string text;  // the spec as written, for messages
};

/// `site, site /predicate/ {{ action }}`. Numbered by their place in Program::clauses.
struct Clause {
    std::vector<Site> sites;
    std::string predicate;     // a Python expression, or ""
    std::string action;        // Python statements, dedented; "" does nothing
    uint32_t action_line = 1;  // where the action's first line stands in the program text
};

struct Program {
    std::vector<Clause> clauses;
};

/// What `-l PROBE:GLOB:GLOB` asks for. Empty globs mean everything.
struct ListingFilter {
    std::string probe;  // "func", "line" or "pymontrace"
    std::string first;
    std::string second;
};

}  // namespace spyglass::plan

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// One section header: "[REMOVE Python.thread(0-1)] : Python.default : OpenMP.team(0)". A part of
// parser.cpp. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/edits.h"

namespace spyglass::config {

/// `where` is a view of the line.
struct Mistake {
    std::string_view where;
    std::string message;
    std::string hint;
};

/// Verb, target, parents and constraints of an edit; mistakes are appended.
std::optional<Edit> parse_header(std::string_view line, std::vector<Mistake>& mistakes);

/// "0-3, 7" of this punit.
std::optional<NumberSet> parse_numbers(std::string_view text, const schema::Domain& domain,
                                       unsigned punit, std::vector<Mistake>& mistakes);

/// "did you mean 'Python'?", or else what there is; empty when there is nothing to say.
std::string suggest(std::string_view word, const std::vector<std::string>& names);

/// The punit called `name`; a mistake otherwise.
std::optional<unsigned> require_punit(const schema::Domain& domain, std::string_view name,
                                      std::vector<Mistake>& mistakes);

}  // namespace spyglass::config

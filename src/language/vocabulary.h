// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The words of the language, as tables: probe kinds, sites, functions. Checks, `-h` and the guide
// are made from them. Pure data.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "plan/plan.h"

namespace spyglass::language {

struct ProbeWord {
    std::string_view name;
    std::string_view form;  // "func:QPATH:start"
    std::string_view summary;
    bool available;  // false: a word of the language that this version does not serve yet
};
std::span<const ProbeWord> probe_words();

struct SiteWord {
    std::string_view probe;
    std::string_view name;
    plan::SiteKind kind;
    std::string_view summary;
};
std::span<const SiteWord> site_words();

struct FunctionWord {
    std::string_view form;
    std::string_view summary;
};
std::span<const FunctionWord> function_words();

/// The part of the help that explains the language.
std::string language_help();

}  // namespace spyglass::language

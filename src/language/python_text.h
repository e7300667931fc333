// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Just enough of Python's lexical rules to know where an action or a predicate ends: strings (all
// prefixes, triple quotes, f-strings with nested expressions), comments, brackets. It does not
// judge Python; the target's own Python does. Sources: Doc/reference/lexical_analysis.rst, PEP 701.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace spyglass::language {

struct PythonEnd {
    size_t end = std::string_view::npos;  // where the terminator stands; npos: nowhere
    size_t open_at =
        std::string_view::npos;  // bracket or string that was still open there, or npos
    bool open_is_string = false;
};

/// First `}}` outside strings, comments and open brackets, from `begin` on.
PythonEnd find_action_end(std::string_view text, size_t begin);

/// First `/` outside strings and brackets that white space (or nothing) and `{{` follow.
PythonEnd find_predicate_end(std::string_view text, size_t begin);

}  // namespace spyglass::language

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A probe program as it was written: what the parser makes and the passes check. Knows places, not
// meanings. Views point into the SourceText that was parsed. Any thread.
#pragma once

#include <string_view>
#include <vector>

namespace spyglass::language {

/// A piece of the source: `text` is a view into it, so its place is known.
struct Piece {
    std::string_view text;
    size_t offset = 0;
};

struct SpecNode {
    Piece whole;
    Piece name;
    Piece first;   // QPATH or PATH
    Piece second;  // site or line
};

struct ClauseNode {
    std::vector<SpecNode> specs;
    Piece predicate;  // without the slashes; empty text: none
    Piece action;     // without the braces
};

struct ProgramNode {
    std::vector<ClauseNode> clauses;
};

}  // namespace spyglass::language

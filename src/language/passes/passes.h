// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What happens to the tree, in this order; one file each. A pass reads the tree and reports; the
// last one makes the plan. Any thread.
#pragma once

#include "base/diagnostic.h"
#include "base/source_text.h"
#include "language/tree.h"
#include "plan/plan.h"

namespace spyglass::language {

/// Probe names, sites and line numbers exist.
void check_specs(const ProgramNode& program, const SourceText& source, Diagnostics& diagnostics);

/// Assignments to ctx and to maps without a key, where the text already shows them.
void check_assignments(const ProgramNode& program, const SourceText& source,
                       Diagnostics& diagnostics);

/// Called only when nothing above found an error.
plan::Program lower(const ProgramNode& program, const SourceText& source);

/// An action's text with its common indentation removed, as textwrap.dedent; the first statement
/// may stand on the line of the braces while the others are indented as they like.
std::string dedent(std::string_view action);

}  // namespace spyglass::language

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Text to tree: program = { spec {"," spec} ["/" predicate "/"] "{{" action "}}" }, with white
// space and `#` comments between the parts. Reports what is missing with its place and goes on with
// the next clause. What the parts mean is checked by passes. Any thread.
#pragma once

#include "base/diagnostic.h"
#include "base/source_text.h"
#include "language/tree.h"

namespace spyglass::language {

ProgramNode parse_tree(const SourceText& source, Diagnostics& diagnostics);

}  // namespace spyglass::language

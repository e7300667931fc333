// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "language/language.h"

#include "language/parser.h"
#include "language/passes/passes.h"
#include "language/vocabulary.h"

namespace spyglass::language {

Parsed parse(const SourceText& source) {
    Parsed parsed;
    const ProgramNode tree = parse_tree(source, parsed.diagnostics);
    check_specs(tree, source, parsed.diagnostics);
    check_assignments(tree, source, parsed.diagnostics);
    if (!has_errors(parsed.diagnostics)) parsed.program = lower(tree, source);
    return parsed;
}

}  // namespace spyglass::language

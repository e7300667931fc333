// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The two assignments that people try first. Only the plain statement form is looked for, at the
// beginning of a line or after a semicolon; whatever else arrives there raises when it runs.
#include <regex>

#include "language/passes/passes.h"

namespace spyglass::language {

namespace {

struct Mistake {
    const char* pattern;
    const char* message;
    const char* hint;
};

constexpr Mistake mistakes[] = {
    {R"((^|[\n;])[ \t]*(ctx\.\w+)[ \t]*([-+*/%&|^@]|//|\*\*|<<|>>)?=[^=])",
     "the program's variables are only read", "assign to vars.NAME instead"},
    {R"((^|[\n;])[ \t]*(maps\.\w+)[ \t]*=[^=])", "a map is assigned by key",
     "write maps.NAME[KEY] = ..., or use vars.NAME"},
};

}  // namespace

void check_assignments(const ProgramNode& program, const SourceText& source,
                       Diagnostics& diagnostics) {
    for (const ClauseNode& clause : program.clauses) {
        // Inside triple-quoted text these would be no statements: leave such actions to the target.
        if (clause.action.text.find("\"\"\"") != std::string_view::npos ||
            clause.action.text.find("'''") != std::string_view::npos) {
            continue;
        }
        for (const Mistake& mistake : mistakes) {
            std::cmatch match;
            const char* const begin = clause.action.text.data();
            if (!std::regex_search(begin, begin + clause.action.text.size(), match,
                                   std::regex(mistake.pattern)))
                continue;
            Diagnostic diagnostic;
            diagnostic.location =
                source.locate(clause.action.offset + static_cast<size_t>(match.position(2)));
            diagnostic.length = static_cast<uint32_t>(match.length(2));
            diagnostic.message = mistake.message;
            diagnostic.hint = mistake.hint;
            diagnostics.push_back(std::move(diagnostic));
        }
    }
}

}  // namespace spyglass::language

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "language/line_range.h"
#include "language/passes/passes.h"
#include "language/vocabulary.h"

namespace spyglass::language {

namespace {

class Check {
  public:
    Check(const SourceText& source, Diagnostics& diagnostics)
        : source_(source), diagnostics_(diagnostics) {}

    void spec(const SpecNode& node) {
        const ProbeWord* const word = find_probe(node.name);
        if (!word) return;
        if (node.second.text.empty()) {
            const std::string expected = word->name == "func"   ? "a site such as start or return"
                                         : word->name == "line" ? "a line number"
                                                                : "BEGIN or END";
            fail(node.second, "the probe lacks " + expected + " after its last ':'",
                 "write " + std::string(word->form));
        } else if (word->name == "line") {
            check_line(node);
        } else {
            check_site(node);
        }
    }

  private:
    void fail(const Piece& piece, std::string message, std::string hint) {
        Diagnostic diagnostic;
        diagnostic.location = source_.locate(piece.offset);
        diagnostic.length = piece.text.empty() ? 1 : static_cast<uint32_t>(piece.text.size());
        diagnostic.message = std::move(message);
        diagnostic.hint = std::move(hint);
        diagnostics_.push_back(std::move(diagnostic));
    }

    static std::string hint_of(std::string_view word, const std::vector<std::string>& candidates) {
        const auto near = nearest_names(std::string(word), candidates, 1);
        if (!near.empty()) return "did you mean '" + near.front() + "'?";
        std::string all = "one of:";
        for (const std::string& each : candidates) all += " " + each;
        return all;
    }

    const ProbeWord* find_probe(const Piece& name) {
        std::vector<std::string> available;
        for (const ProbeWord& each : probe_words()) {
            if (each.name == name.text && each.available) return &each;
            if (each.name == name.text) {
                fail(name,
                     "probe '" + std::string(name.text) + "' is not available in this version", "");
                return nullptr;
            }
            if (each.available) available.emplace_back(each.name);
        }
        fail(name, "unknown probe '" + std::string(name.text) + "'", hint_of(name.text, available));
        return nullptr;
    }

    void check_line(const SpecNode& node) {
        if (!parse_line_range(node.second.text)) {
            fail(node.second, "'" + std::string(node.second.text) + "' is not a line number",
                 "write a line (12), a range (12-20), or * for every line");
        }
    }

    void check_site(const SpecNode& node) {
        std::vector<std::string> known;
        for (const SiteWord& each : site_words()) {
            if (each.probe != node.name.text) continue;
            if (each.name == node.second.text) return;
            known.emplace_back(each.name);
        }
        fail(node.second,
             "probe '" + std::string(node.name.text) + "' has no site '" +
                 std::string(node.second.text) + "'",
             hint_of(node.second.text, known));
    }

    const SourceText& source_;
    Diagnostics& diagnostics_;
};

}  // namespace

void check_specs(const ProgramNode& program, const SourceText& source, Diagnostics& diagnostics) {
    Check check(source, diagnostics);
    for (const ClauseNode& clause : program.clauses) {
        for (const SpecNode& spec : clause.specs) check.spec(spec);
    }
}

}  // namespace spyglass::language

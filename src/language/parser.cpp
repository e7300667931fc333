// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "language/parser.h"

#include "language/python_text.h"

namespace spyglass::language {

namespace {

constexpr size_t none = std::string_view::npos;

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

class Parser {
  public:
    Parser(const SourceText& source, Diagnostics& diagnostics)
        : source_(source), text_(source.text()), diagnostics_(diagnostics) {}

    ProgramNode run() {
        ProgramNode program;
        if (text_.substr(0, 2) == "#!") at_ = end_of_line();
        skip_between();
        while (at_ < text_.size()) {
            ClauseNode clause;
            if (read_clause(clause)) {
                program.clauses.push_back(std::move(clause));
            } else if (!recover()) {
                break;
            }
            skip_between();
        }
        return program;
    }

  private:
    size_t end_of_line() const {
        const size_t newline = text_.find('\n', at_);
        return newline == none ? text_.size() : newline;
    }

    void skip_between() {
        while (at_ < text_.size()) {
            if (is_space(text_[at_])) {
                ++at_;
            } else if (text_[at_] == '#') {
                at_ = end_of_line();
            } else {
                return;
            }
        }
    }

    std::string next_word() const {
        if (at_ >= text_.size()) return "the end of the program";
        size_t end = at_;
        while (end < text_.size() && !is_space(text_[end]) && end - at_ < 30) ++end;
        return "'" + std::string(text_.substr(at_, end - at_)) + "'";
    }

    bool fail(size_t offset, size_t length, std::string message, std::string hint = {}) {
        Diagnostic diagnostic;
        diagnostic.location = source_.locate(offset);
        diagnostic.length = static_cast<uint32_t>(length == 0 ? 1 : length);
        diagnostic.message = std::move(message);
        diagnostic.hint = std::move(hint);
        diagnostics_.push_back(std::move(diagnostic));
        return false;
    }

    Piece piece(size_t begin, size_t end) const {
        return {text_.substr(begin, end - begin), begin};
    }

    bool read_clause(ClauseNode& clause) {
        do {
            skip_between();
            SpecNode spec;
            if (!read_spec(spec)) return false;
            clause.specs.push_back(spec);
            skip_between();
        } while (accept(','));
        if (at_ < text_.size() && text_[at_] == '/' && !read_predicate(clause)) return false;
        return read_action(clause);
    }

    bool accept(char c) {
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    // A part of a spec: up to a colon or white space; the last one also up to "{", "," or "/".
    Piece read_part(bool last) {
        const size_t begin = at_;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == ':' || is_space(c)) break;
            if (last && (c == '{' || c == ',' || c == '/')) break;
            if (text_.substr(at_, 2) == "{{") break;
            ++at_;
        }
        return piece(begin, at_);
    }

    bool read_spec(SpecNode& spec) {
        const size_t begin = at_;
        spec.name = read_part(false);
        if (spec.name.text.empty()) {
            return fail(at_, 1, "expected a probe, got " + next_word(),
                        "a clause begins like func:module.name:start {{ ... }}");
        }
        if (!accept(':'))
            return fail(at_, 1, "expected ':' after the probe's name, got " + next_word(),
                        "a probe is written name:where:what");
        spec.first = read_part(false);
        if (!accept(':'))
            return fail(at_, 1, "expected a second ':' in the probe, got " + next_word(),
                        "a probe is written name:where:what");
        spec.second = read_part(true);
        spec.whole = piece(begin, at_);
        if (at_ < text_.size() && text_[at_] == ':') {
            return fail(
                at_, 1, "the probe has a third ':'",
                "a probe has three parts; a path with ':' can be written with '*' in its place");
        }
        return true;
    }

    bool read_predicate(ClauseNode& clause) {
        const size_t begin = ++at_;
        const PythonEnd end = find_predicate_end(text_, begin);
        if (end.end == none) {
            return fail(begin - 1, 1, "this predicate does not end",
                        "write /condition/ {{ action }}");
        }
        clause.predicate = piece(begin, end.end);
        if (clause.predicate.text.find_first_not_of(" \t\r\n") == none) {
            return fail(begin - 1, 2, "the predicate is empty",
                        "leave it out, or write /condition/");
        }
        at_ = end.end + 1;
        skip_between();
        return true;
    }

    bool read_action(ClauseNode& clause) {
        if (text_.substr(at_, 2) != "{{") {
            return fail(at_, 1, "expected '{{', got " + next_word(),
                        "the action stands in {{ }} behind the probe");
        }
        const size_t begin = at_ + 2;
        const PythonEnd end = find_action_end(text_, begin);
        if (end.end == none) {
            if (end.open_at != none) {
                return fail(
                    end.open_at, 1,
                    end.open_is_string ? "this string never ends" : "this bracket is never closed",
                    "the action's closing }} counts only outside strings and brackets");
            }
            return fail(at_, 2, "this action has no closing '}}'",
                        "a }} in a comment does not count: put it on a line of its own");
        }
        clause.action = piece(begin, end.end);
        at_ = end.end + 2;
        return true;
    }

    // To behind the next "}}": the following clause may have mistakes of its own.
    bool recover() {
        const size_t close = text_.find("}}", at_);
        if (close == none) return false;
        at_ = close + 2;
        return true;
    }

    const SourceText& source_;
    std::string_view text_;
    Diagnostics& diagnostics_;
    size_t at_ = 0;
};

}  // namespace

ProgramNode parse_tree(const SourceText& source, Diagnostics& diagnostics) {
    return Parser(source, diagnostics).run();
}

}  // namespace spyglass::language

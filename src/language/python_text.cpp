// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "language/python_text.h"

#include <cctype>
#include <vector>

namespace spyglass::language {

namespace {

constexpr size_t none = std::string_view::npos;

class Scanner {
  public:
    Scanner(std::string_view text, size_t at) : text_(text), at_(at) {}

    template <class IsEnd>
    PythonEnd run(bool has_comments, IsEnd is_end) {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (open_.empty() && is_end(text_, at_)) return {at_, none, false};
            if (c == '#' && has_comments) {
                skip_comment();
            } else if (c == '"' || c == '\'') {
                const size_t start = at_;
                if (!skip_string(is_formatted(at_))) return {none, start, true};
            } else if (c == '(' || c == '[' || c == '{') {
                open_.push_back(at_++);
            } else if ((c == ')' || c == ']' || c == '}') && !open_.empty()) {
                if (c != closing_of(text_[open_.back()])) return {none, open_.back(), false};
                open_.pop_back();
                ++at_;
            } else {
                ++at_;
            }
        }
        return {none, open_.empty() ? none : open_.back(), false};
    }

  private:
    static char closing_of(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

    void skip_comment() {
        const size_t newline = text_.find('\n', at_);
        at_ = newline == none ? text_.size() : newline;
    }

    bool is_formatted(size_t quote) const {
        for (size_t i = quote; i > 0 && quote - i < 2; --i) {
            const char c = text_[i - 1];
            if (c == 'f' || c == 'F' || c == 't' || c == 'T')
                return is_prefix_start(i - 1) || is_prefix_start(i - 2);
            if (c != 'r' && c != 'R') return false;
        }
        return false;
    }

    bool is_prefix_start(size_t at) const {
        if (at == 0 || at >= text_.size()) return true;
        const char before = text_[at - 1];
        return !(isalnum(static_cast<unsigned char>(before)) || before == '_');
    }

    // From the opening quote to behind the closing one; false: it never closes.
    bool skip_string(bool formatted) {
        const char quote = text_[at_];
        const std::string_view tripled = quote == '"' ? R"(""")" : "'''";
        const bool triple = text_.substr(at_, 3) == tripled;
        const std::string_view closing = triple ? tripled : tripled.substr(0, 1);
        at_ += closing.size();
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (text_.substr(at_, closing.size()) == closing) {
                at_ += closing.size();
                return true;
            }
            const bool doubled_brace = formatted && text_.substr(at_, 2) == "{{";
            if (c == '\\' || doubled_brace) {
                at_ += 2;
            } else if (c == '\n' && !triple) {
                return false;
            } else if (formatted && c == '{') {
                if (!skip_replacement_field()) return false;
            } else {
                ++at_;
            }
        }
        return false;
    }

    // `{expression}` in an f-string, which may hold strings and brackets of its own.
    bool skip_replacement_field() {
        int depth = 0;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"' || c == '\'') {
                if (!skip_string(is_formatted(at_))) return false;
                continue;
            }
            ++at_;
            if (c == '{' || c == '(' || c == '[') ++depth;
            if (c == '}' || c == ')' || c == ']') --depth;
            if (depth == 0) return true;
        }
        return false;
    }

    std::string_view text_;
    size_t at_;
    std::vector<size_t> open_;
};

}  // namespace

PythonEnd find_action_end(std::string_view text, size_t begin) {
    return Scanner(text, begin).run(true, [](std::string_view all, size_t at) {
        return all.substr(at, 2) == "}}";
    });
}

PythonEnd find_predicate_end(std::string_view text, size_t begin) {
    return Scanner(text, begin).run(false, [](std::string_view all, size_t at) {
        if (all[at] != '/') return false;
        const size_t next = all.find_first_not_of(" \t\r\n", at + 1);
        return next != none && all.substr(next, 2) == "{{";
    });
}

}  // namespace spyglass::language

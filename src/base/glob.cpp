// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "base/glob.h"

namespace spyglass {

// Greedy with one point of return: when a literal run fails, only the last star may take more.
// Earlier stars never need to, because any match they could reach the last star reaches as well.
bool glob_matches(std::string_view pattern, std::string_view text, Wildcards wildcards) {
    constexpr size_t none = std::string_view::npos;
    const bool question = wildcards == Wildcards::star_and_question;
    size_t p = 0;
    size_t t = 0;
    size_t star = none;
    size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == text[t] || (question && pattern[p] == '?'))) {
            ++p;
            ++t;
        } else if (star != none) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

}  // namespace spyglass

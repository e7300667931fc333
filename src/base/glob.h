// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one matcher for names and paths: `*` stands for any run of bytes (dots and slashes included),
// `?` for one byte where the caller's language has it, everything else for itself, anchored at both
// ends. Linear in the text for any number of stars.
// What a pattern is compared with (a path relative to a directory, a bare name in the main script)
// is the caller's rule. Any thread; owns nothing; cannot fail.
#pragma once

#include <string_view>

namespace spyglass {

enum class Wildcards : unsigned char { star, star_and_question };

bool glob_matches(std::string_view pattern, std::string_view text,
                  Wildcards wildcards = Wildcards::star);

inline bool glob_is_literal(std::string_view pattern, Wildcards wildcards = Wildcards::star) {
    return pattern.find_first_of(wildcards == Wildcards::star ? "*" : "*?") ==
           std::string_view::npos;
}

}  // namespace spyglass

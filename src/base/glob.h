// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one matcher for names and paths: `*` stands for any run of bytes (dots and slashes included),
// everything else for itself, anchored at both ends. Linear in the text for any number of stars.
// What a pattern is compared with (a path relative to a directory, a bare name in the main script)
// is the caller's rule. Any thread; owns nothing; cannot fail.
#pragma once

#include <string_view>

namespace spyglass {

bool glob_matches(std::string_view pattern, std::string_view text);

inline bool glob_is_literal(std::string_view pattern) {
    return pattern.find('*') == std::string_view::npos;
}

}  // namespace spyglass

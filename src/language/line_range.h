// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The last part of a line probe: N, N-M, or * (both numbers 0: every line). Pure function.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace spyglass::language {

struct WrittenLines {
    uint32_t first = 0;
    uint32_t last = 0;
};

inline std::optional<WrittenLines> parse_line_range(std::string_view text) {
    if (text == "*") return WrittenLines{};
    const char* const end = text.data() + text.size();
    WrittenLines lines;
    const auto [dash, error] = std::from_chars(text.data(), end, lines.first);
    if (error != std::errc() || lines.first == 0) return std::nullopt;
    lines.last = lines.first;
    if (dash == end) return lines;
    if (*dash != '-') return std::nullopt;
    const auto [rest, last_error] = std::from_chars(dash + 1, end, lines.last);
    if (last_error != std::errc() || rest != end || lines.last < lines.first) return std::nullopt;
    return lines;
}

}  // namespace spyglass::language

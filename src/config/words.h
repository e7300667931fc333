// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Small pieces of the configuration's syntax that several files read: spaces, numbers. Any thread.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace spyglass::config {

inline bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

inline std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

/// The whole of `text`, or nothing.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Seconds: a finite decimal number.
inline std::optional<double> parse_seconds(std::string_view text) {
    const auto number = parse_number<double>(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace spyglass::config

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/render.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "aggregate/histogram.h"

namespace spyglass::aggregate {

namespace {

constexpr size_t bar_width = 40;
constexpr size_t label_width = 20;

std::string right_aligned(const std::string& text, size_t width) {
    return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

// Terminal columns of UTF-8, as far as alignment needs: one per code point.
size_t columns(const std::string& text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

std::string padded_key(const EntrySnapshot& entry, size_t width) {
    const std::string space(width - columns(entry.key), ' ');
    return entry.key_kind == KeyKind::integer ? space + entry.key : entry.key + space;
}

// Half to even, as Python's round.
size_t rounded(double value) {
    return static_cast<size_t>(std::nearbyint(value));
}

bool is_hexadecimal(const std::string& text) {
    return text.find('x') != std::string::npos;
}

// Integers beyond 64 bits, as text: by sign, then length, then digits. Hexadecimal ones are those
// beyond the interpreter's limit for decimal digits, hence larger than any decimal one.
bool less_text(const std::string& a, const std::string& b) {
    const bool a_negative = a.front() == '-';
    const bool b_negative = b.front() == '-';
    if (a_negative != b_negative) return a_negative;
    const auto magnitude_less = [](const std::string& x, const std::string& y) {
        if (is_hexadecimal(x) != is_hexadecimal(y)) return is_hexadecimal(y);
        return x.size() != y.size() ? x.size() < y.size() : x < y;
    };
    return a_negative ? magnitude_less(b, a) : magnitude_less(a, b);
}

// Exact for 64-bit integers and doubles on the supported processors.
long double number_of(const EntrySnapshot& entry) {
    switch (entry.representation) {
        case Representation::integer:
            return static_cast<long double>(entry.integer);
        case Representation::real:
            return entry.real;
        case Representation::text:
            return strtold(entry.text.c_str(), nullptr);
        default:
            return 0;
    }
}

// Ascending by value; NaN, then histograms (by how many values they hold) come last.
bool less(const EntrySnapshot& a, const EntrySnapshot& b) {
    const auto rank = [](const EntrySnapshot& entry) {
        if (entry.representation == Representation::histogram) return 2;
        return entry.representation == Representation::real && std::isnan(entry.real) ? 1 : 0;
    };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    if (rank(a) == 2) return a.histogram.total() < b.histogram.total();
    if (rank(a) == 1) return false;
    const bool both_text =
        a.representation == Representation::text && b.representation == Representation::text;
    if (both_text && !a.text.empty() && !b.text.empty()) return less_text(a.text, b.text);
    return number_of(a) < number_of(b);
}

}  // namespace

std::string render(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    char buffer[64];
    const auto scientific =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
    std::string shortest(buffer, scientific.ptr);
    const int exponent = atoi(shortest.c_str() + shortest.find('e') + 1);
    // Python's repr: positional from 1e-4 to below 1e16, else with an exponent of at least two
    // digits.
    if (exponent < -4 || exponent >= 16) return shortest;
    const auto fixed =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
    std::string text(buffer, fixed.ptr);
    if (text.find('.') == std::string::npos) text += ".0";
    return text;
}

std::string render(const Histogram& histogram) {
    std::string text = std::string(15, ' ') + "value  " + std::string(13, '-') + " Distribution " +
                       std::string(13, '-') + " count\n";
    // The sum of doubles, because what comes from a target may add up to more than 64 bits.
    double total = 0;
    int32_t lowest = INT32_MAX;
    int32_t highest = INT32_MIN;
    for (size_t i = 0; i < histogram.counts.size(); ++i) {
        if (histogram.counts[i] == 0) continue;
        const auto bucket = static_cast<int32_t>(histogram.first_bucket + static_cast<int32_t>(i));
        total += static_cast<double>(histogram.counts[i]);
        lowest = std::min(lowest, bucket);
        highest = std::max(highest, bucket);
    }
    const auto labels =
        total > 0 ? bucket_labels(lowest - 1, highest + 1) : std::vector<std::string>();
    for (int32_t bucket = lowest - 1; total > 0 && bucket <= highest + 1; ++bucket) {
        const int64_t index = int64_t{bucket} - histogram.first_bucket;
        const bool inside = index >= 0 && index < static_cast<int64_t>(histogram.counts.size());
        const uint64_t count = inside ? histogram.counts[static_cast<size_t>(index)] : 0;
        const double share = static_cast<double>(count) / total;
        text += right_aligned(labels[static_cast<size_t>(bucket - (lowest - 1))], label_width) +
                " |" + std::string(rounded(share * bar_width), '@') +
                std::string(rounded((1 - share) * bar_width), ' ') + " " + std::to_string(count) +
                "\n";
    }
    if (histogram.not_numbers != 0) {
        text += right_aligned("not finite", label_width) + " |" + std::string(bar_width, ' ') +
                " " + std::to_string(histogram.not_numbers) + "\n";
    }
    return text;
}

std::string render_value(const EntrySnapshot& entry) {
    switch (entry.representation) {
        case Representation::integer:
            return std::to_string(entry.integer);
        case Representation::real:
            return render(entry.real);
        case Representation::text:
            return entry.text;
        default:
            return {};
    }
}

std::string render(const MapSnapshot& map) {
    if (map.entries.empty() && map.overflowed == 0) return {};
    std::vector<const EntrySnapshot*> order;
    size_t key_width = 0;
    size_t value_width = 0;
    for (const EntrySnapshot& entry : map.entries) {
        order.push_back(&entry);
        key_width = std::max(key_width, columns(entry.key));
        value_width = std::max(value_width, render_value(entry).size());
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return less(*a, *b); });
    std::string text = map.name + " \n\n";
    for (const EntrySnapshot* entry : order) {
        text += "  " + padded_key(*entry, key_width) + ":";
        if (entry->representation == Representation::histogram) {
            text += "\n" + render(entry->histogram);
        } else {
            text += " " + right_aligned(render_value(*entry), value_width) + "\n";
        }
    }
    if (map.overflowed != 0) text += "  (other): " + std::to_string(map.overflowed) + " updates\n";
    return text;
}

}  // namespace spyglass::aggregate

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace spyglass::aggregate {

int32_t bucket_of_real(double value) {
    if (value > -1 && value < 1) return 0;
    int exponent = 0;
    (void)std::frexp(value, &exponent);  // magnitude in [2^(exponent-1), 2^exponent)
    return value < 0 ? -exponent : exponent;
}

std::vector<std::string> bucket_labels(int32_t first, int32_t last) {
    // Powers of two by repeated doubling of decimal digits, least significant first.
    const int32_t largest = std::max(std::abs(first), std::abs(last));
    std::vector<std::string> magnitudes = {"0"};
    std::string digits = "1";
    for (int32_t bits = 1; bits <= largest; ++bits) {
        magnitudes.emplace_back(digits.rbegin(), digits.rend());
        int carry = 0;
        for (char& digit : digits) {
            const int doubled = (digit - '0') * 2 + carry;
            digit = static_cast<char>('0' + doubled % 10);
            carry = doubled / 10;
        }
        if (carry) digits += static_cast<char>('0' + carry);
    }
    std::vector<std::string> labels;
    for (int32_t bucket = first; bucket <= last; ++bucket) {
        labels.push_back((bucket < 0 ? "-" : "") +
                         magnitudes[static_cast<size_t>(std::abs(bucket))]);
    }
    return labels;
}

}  // namespace spyglass::aggregate

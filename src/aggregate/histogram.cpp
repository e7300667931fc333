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

std::string bucket_label(int32_t bucket) {
    if (bucket == 0) return "0";
    // 2^(|bucket|-1) by repeated doubling of decimal digits, least significant first.
    std::string digits = "1";
    for (int32_t i = 1; i < std::abs(bucket); ++i) {
        int carry = 0;
        for (char& digit : digits) {
            const int doubled = (digit - '0') * 2 + carry;
            digit = static_cast<char>('0' + doubled % 10);
            carry = doubled / 10;
        }
        if (carry) digits += static_cast<char>('0' + carry);
    }
    if (bucket < 0) digits += '-';
    std::reverse(digits.begin(), digits.end());
    return digits;
}

}  // namespace spyglass::aggregate

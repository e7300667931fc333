// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Power-of-two buckets. Bucket 0 holds (-1, 1); bucket k > 0 holds [2^(k-1), 2^k); negative buckets
// mirror them. k is the number of bits of the truncated magnitude, so integers of any size have one.
// Labels: 0, 2^(k-1), -2^(k-1). Pure functions.
#pragma once

#include <cstdint>
#include <string>

namespace spyglass::aggregate {

inline int32_t bucket_of_integer(int64_t value) {
    const uint64_t magnitude = value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
    const int32_t bits = magnitude == 0 ? 0 : 64 - __builtin_clzll(magnitude);
    return value < 0 ? -bits : bits;
}

/// Finite values only.
int32_t bucket_of_real(double value);

/// "-4", "0", "1024", also beyond 64 bits.
std::string bucket_label(int32_t bucket);

}  // namespace spyglass::aggregate

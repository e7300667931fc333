// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Power-of-two buckets. Bucket 0 holds (-1, 1); bucket k > 0 holds [2^(k-1), 2^k); negative buckets
// mirror them. k is the number of bits of the truncated magnitude. Integers beyond max_bucket bits
// are counted apart, as NaN is: nobody reads the tens of thousands of rows that one of them would
// cost. Labels: 0, 2^(k-1), -2^(k-1). Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spyglass::aggregate {

inline constexpr int32_t max_bucket = 1 << 13;

inline int32_t bucket_of_integer(int64_t value) {
    const uint64_t magnitude =
        value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
    const int32_t bits = magnitude == 0 ? 0 : 64 - __builtin_clzll(magnitude);
    return value < 0 ? -bits : bits;
}

/// Finite values only.
int32_t bucket_of_real(double value);

/// "-4", "0", "1024", also beyond 64 bits: the labels of `first` to `last`, in that order.
std::vector<std::string> bucket_labels(int32_t first, int32_t last);
inline std::string bucket_label(int32_t bucket) {
    return bucket_labels(bucket, bucket).front();
}

}  // namespace spyglass::aggregate

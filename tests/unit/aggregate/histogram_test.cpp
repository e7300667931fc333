// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace spyglass::aggregate {
namespace {

TEST(Histogram, IntegersGoToTheirNumberOfBits) {
    EXPECT_EQ(bucket_of_integer(0), 0);
    EXPECT_EQ(bucket_of_integer(1), 1);
    EXPECT_EQ(bucket_of_integer(2), 2);
    EXPECT_EQ(bucket_of_integer(3), 2);
    EXPECT_EQ(bucket_of_integer(4), 3);
    EXPECT_EQ(bucket_of_integer(-1), -1);
    EXPECT_EQ(bucket_of_integer(-3), -2);
    EXPECT_EQ(bucket_of_integer(std::numeric_limits<int64_t>::max()), 63);
    EXPECT_EQ(bucket_of_integer(std::numeric_limits<int64_t>::min()), -64);
}

TEST(Histogram, FloatsGoWhereTheirTruncatedValueGoes) {
    for (const double value :
         {0.0, -0.0, 0.999, -0.999, 1.0, 1.999, 2.0, -1.5, -2.0, 1023.9, 1024.0, -1e15}) {
        EXPECT_EQ(bucket_of_real(value), bucket_of_integer(static_cast<int64_t>(value))) << value;
    }
    EXPECT_EQ(bucket_of_real(std::ldexp(1.0, 64)), 65);
    EXPECT_EQ(bucket_of_real(std::numeric_limits<double>::max()), 1024);
    EXPECT_EQ(bucket_of_real(std::numeric_limits<double>::denorm_min()), 0);
}

TEST(Histogram, LabelsAreTheSmallestMagnitudeOfTheirBucket) {
    EXPECT_EQ(bucket_labels(-3, 3),
              (std::vector<std::string>{"-4", "-2", "-1", "0", "1", "2", "4"}));
    EXPECT_EQ(bucket_label(64), "9223372036854775808");
    EXPECT_EQ(bucket_label(65), "18446744073709551616");
    EXPECT_EQ(bucket_label(-129), "-340282366920938463463374607431768211456");
    EXPECT_EQ(bucket_label(max_bucket).size(), 2466u);  // 2^8191
}

}  // namespace
}  // namespace spyglass::aggregate

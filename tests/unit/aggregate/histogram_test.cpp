// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/histogram.h"

#include <gtest/gtest.h>

namespace spyglass::aggregate {
namespace {

TEST(Histogram, BucketsOfIntegers) {
    EXPECT_EQ(bucket_of_integer(0), 0);
    EXPECT_EQ(bucket_of_integer(1), 1);
    EXPECT_EQ(bucket_of_integer(2), 2);
    EXPECT_EQ(bucket_of_integer(3), 2);
    EXPECT_EQ(bucket_of_integer(4), 3);
    EXPECT_EQ(bucket_of_integer(-1), -1);
    EXPECT_EQ(bucket_of_integer(-3), -2);
    EXPECT_EQ(bucket_of_integer(INT64_MAX), 63);
    EXPECT_EQ(bucket_of_integer(INT64_MIN), -64);
}

TEST(Histogram, FloatsAreTruncatedTowardsZero) {
    EXPECT_EQ(bucket_of_real(0.9), 0);
    EXPECT_EQ(bucket_of_real(-0.9), 0);
    EXPECT_EQ(bucket_of_real(1.0), 1);
    EXPECT_EQ(bucket_of_real(3.99), 2);
    EXPECT_EQ(bucket_of_real(4.0), 3);
    EXPECT_EQ(bucket_of_real(-2.5), -2);
    EXPECT_EQ(bucket_of_real(1e300), 997);
}

TEST(Histogram, IntegersAndFloatsAgree) {
    for (int64_t value : {1, 2, 3, 4, 1000, 65535, 65536, -7, -8}) {
        EXPECT_EQ(bucket_of_integer(value), bucket_of_real(static_cast<double>(value))) << value;
    }
}

TEST(Histogram, Labels) {
    EXPECT_EQ(bucket_label(0), "0");
    EXPECT_EQ(bucket_label(1), "1");
    EXPECT_EQ(bucket_label(11), "1024");
    EXPECT_EQ(bucket_label(-3), "-4");
    EXPECT_EQ(bucket_label(65), "18446744073709551616");
}

}  // namespace
}  // namespace spyglass::aggregate

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace spyglass {
namespace {

TEST(NearestNames, ClosestFirstAndNothingFarOff) {
    EXPECT_EQ(nearest_names("fnuc", {"func", "line"}), std::vector<std::string>{"func"});
    EXPECT_EQ(nearest_names("strat", {"start", "return"}, 1), std::vector<std::string>{"start"});
    EXPECT_TRUE(nearest_names("xyzzy", {"func", "line"}).empty());
}

TEST(NearestNames, OrderIsByDistanceThenName) {
    const std::vector<std::string> expected{"ab", "aa", "cb"};
    EXPECT_EQ(nearest_names("ab", {"cb", "aa", "ab"}), expected);
}

TEST(Diagnostics, WarningsAreNoErrors) {
    Diagnostics all(1);
    all[0].severity = Severity::warning;
    EXPECT_FALSE(has_errors(all));
    all.push_back({});
    EXPECT_TRUE(has_errors(all));
}

}  // namespace
}  // namespace spyglass

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/rate.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace spyglass::config {
namespace {

std::vector<uint64_t> traced(const RateLimit& limit, uint64_t executions) {
    RateCounters counters;
    counters.follow(limit);
    std::vector<uint64_t> which;
    for (uint64_t i = 0; i < executions; ++i) {
        if (counters.admit(limit)) which.push_back(i);
    }
    EXPECT_EQ(counters.executions, executions);
    EXPECT_EQ(counters.traced, which.size());
    return which;
}

TEST(Rate, TheExamplesOfTheSpecification) {
    const auto every_fiftieth = traced({0, 100, 50}, 10'000);
    ASSERT_EQ(every_fiftieth.size(), 100u);
    EXPECT_EQ(every_fiftieth[1], 50u);
    EXPECT_EQ(every_fiftieth.back(), 99u * 50);
    EXPECT_EQ(traced({10, 100, 50}, 100), (std::vector<uint64_t>{10, 60}));
    EXPECT_TRUE(traced({0, 0, 1}, 100).empty());
    EXPECT_EQ(traced({0, -1, 1}, 100).size(), 100u);
    EXPECT_EQ(traced({UINT64_MAX - 1, -1, UINT64_MAX}, 100).size(), 0u);
}

// The sentence of the specification, taken literally, with limits that change on the way.
TEST(Rate, FollowsTheRuleWhateverChangesMeanwhile) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    for (int round = 0; round < 2000; ++round) {
        RateCounters counters;
        uint64_t executions = 0;
        uint64_t before = 0;
        for (int change = 0; change < 4; ++change) {
            const RateLimit limit{random() % 20, static_cast<int64_t>(random() % 12) - 1,
                                  1 + random() % 7};
            counters.follow(limit);
            for (uint64_t left = random() % 40; left > 0; --left) {
                const uint64_t i = executions++;
                const bool expected =
                    i >= limit.starts_at && (i - limit.starts_at) % limit.every == 0 &&
                    (limit.most < 0 || before < static_cast<uint64_t>(limit.most));
                ASSERT_EQ(counters.admit(limit), expected)
                    << i << " of " << limit.starts_at << ':' << limit.most << ':' << limit.every;
                before += expected ? 1 : 0;
            }
        }
        ASSERT_EQ(counters.executions, executions);
        ASSERT_EQ(counters.traced, before);
    }
}

}  // namespace
}  // namespace spyglass::config

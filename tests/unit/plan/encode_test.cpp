// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "plan/encode.h"

#include <gtest/gtest.h>

#include <random>

namespace spyglass::plan {
namespace {

Program example() {
    Clause clause;
    clause.sites = {{SiteKind::func_start, "m.f", 0, 0, "func:m.f:start"},
                    {SiteKind::line, "*", 3, 9, "line::3-9"}};
    clause.predicate = "x > 1";
    clause.action = "print(1)\n";
    clause.action_line = 4;
    Clause hook;
    hook.sites = {{SiteKind::begin, "", 0, 0, "pymontrace::BEGIN"}};
    return {{clause, hook}};
}

TEST(Plan, RoundTrip) {
    const auto decoded = decode_program(encode(example()));
    ASSERT_TRUE(decoded);
    ASSERT_EQ(decoded->clauses.size(), 2u);
    const Clause& clause = decoded->clauses[0];
    EXPECT_EQ(clause.sites[1].last_line, 9u);
    EXPECT_EQ(clause.sites[0].pattern, "m.f");
    EXPECT_EQ(clause.predicate, "x > 1");
    EXPECT_EQ(clause.action, "print(1)\n");
    EXPECT_EQ(clause.action_line, 4u);
}

TEST(Plan, EveryTruncationIsRefused) {
    const auto bytes = encode(example());
    for (size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_program(std::span(bytes).first(size))) << size;
}

TEST(Plan, DamagedBytesAreRefusedOrHarmless) {
    std::mt19937 random(3);
    const auto good = encode(example());
    for (int i = 0; i < 20000; ++i) {
        auto bad = good;
        bad[random() % bad.size()] = static_cast<std::byte>(random());
        const auto program = decode_program(bad);
        if (!program) continue;
        for (const Clause& clause : program->clauses) EXPECT_FALSE(clause.sites.empty());
    }
}

TEST(Plan, FiltersRoundTrip) {
    const auto filter = decode_listing_filter(encode(ListingFilter{"func", "a.*", "start"}));
    ASSERT_TRUE(filter);
    EXPECT_EQ(filter->first, "a.*");
    EXPECT_EQ(filter->second, "start");
}

}  // namespace
}  // namespace spyglass::plan

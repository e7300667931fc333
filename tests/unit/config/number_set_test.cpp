// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/number_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace spyglass::config {
namespace {

TEST(NumberSet, JoinsWhatTouches) {
    NumberSet set;
    set.add({5, 7});
    set.add({0, 1});
    EXPECT_EQ(set.text(), "0-1,5-7");
    set.add({2, 4});
    EXPECT_EQ(set.text(), "0-7");
    set.add({UINT32_MAX, UINT32_MAX});
    EXPECT_EQ(set.text(), "0-7,4294967295");
    set.add({3, UINT32_MAX});
    EXPECT_EQ(set.text(), "*");
}

TEST(NumberSet, IsASetOfNumbers) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 500; ++round) {
        NumberSet set;
        std::set<uint32_t> model;
        for (int step = 0; step < 8; ++step) {
            const uint32_t first = static_cast<uint32_t>(random() % 40);
            const uint32_t last = first + static_cast<uint32_t>(random() % 6);
            NumberSet range;
            range.add({first, last});
            const bool adds = random() % 3 != 0;
            bool common = false;
            for (uint32_t i = first; i <= last; ++i) common = common || model.count(i) != 0;
            ASSERT_EQ(set.intersects(range), common);
            adds ? set.add({first, last}) : set.remove(range);
            for (uint32_t i = first; i <= last; ++i)
                adds ? (void)model.insert(i) : (void)model.erase(i);
            for (uint32_t i = 0; i < 50; ++i) ASSERT_EQ(set.contains(i), model.count(i) != 0);
            ASSERT_EQ(set.empty(), model.empty());
            for (size_t i = 1; i < set.ranges().size(); ++i)
                ASSERT_GT(set.ranges()[i].first, set.ranges()[i - 1].last + 1) << set.text();
        }
    }
}

}  // namespace
}  // namespace spyglass::config

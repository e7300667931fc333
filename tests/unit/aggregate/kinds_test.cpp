// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/kinds.h"

#include <gtest/gtest.h>

#include <set>

namespace spyglass::aggregate {
namespace {

TEST(Kinds, EachHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (const KindInfo& each : kinds()) {
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_EQ(kind_name(each.kind), each.name);
        EXPECT_FALSE(each.summary.empty());
    }
    EXPECT_EQ(names, (std::set<std::string_view>{"count", "sum", "min", "max", "quantize"}));
}

TEST(Kinds, AValueIsNamedForMessages) {
    EXPECT_EQ(kind_name(Kind::value), "a plain value");
}

}  // namespace
}  // namespace spyglass::aggregate

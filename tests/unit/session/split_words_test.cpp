// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "session/launch.h"

namespace spyglass::session {
namespace {

using Words = std::vector<std::string>;

TEST(SplitWords, AsAShellWould) {
    EXPECT_EQ(*split_words("a.py 1 7"), (Words{"a.py", "1", "7"}));
    EXPECT_EQ(*split_words("  a 'b c' \"d e\"  "), (Words{"a", "b c", "d e"}));
    EXPECT_EQ(*split_words("a\\ b"), (Words{"a b"}));
    EXPECT_EQ(*split_words("a ''"), (Words{"a", ""}));
    EXPECT_EQ(*split_words("\"a\\\"b\""), (Words{"a\"b"}));
    EXPECT_EQ(*split_words("'a\\n'"), (Words{"a\\n"}));
    EXPECT_EQ(*split_words("x'y'z"), (Words{"xyz"}));
    EXPECT_EQ(*split_words("$HOME ~"), (Words{"$HOME", "~"}));
}

TEST(SplitWords, UnbalancedQuotesAreErrors) {
    EXPECT_FALSE(split_words("a 'b"));
    EXPECT_FALSE(split_words("a \"b"));
    EXPECT_FALSE(split_words("a \\"));
}

}  // namespace
}  // namespace spyglass::session

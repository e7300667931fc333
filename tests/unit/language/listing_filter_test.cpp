// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "language/language.h"

namespace spyglass::language {
namespace {

ParsedFilter filter(const std::string& text) {
    return parse_listing_filter(SourceText("-l", text));
}

TEST(ListingFilter, MissingPartsMeanEverything) {
    for (const char* text : {"func", "func:", "func::", " func "}) {
        const ParsedFilter parsed = filter(text);
        EXPECT_TRUE(parsed.diagnostics.empty()) << text;
        EXPECT_EQ(parsed.filter.probe, "func");
        EXPECT_EQ(parsed.filter.first, "");
    }
    EXPECT_EQ(filter("line:*/a.py:3").filter.second, "3");
}

TEST(ListingFilter, MistakesArePointedAt) {
    EXPECT_EQ(filter("func:a b").diagnostics.front().location.column, 7u);
    EXPECT_NE(filter("func:*:start {{ x }}").diagnostics.front().hint.find("-e"),
              std::string::npos);
    EXPECT_NE(filter("a:b:c:d").diagnostics.front().message.find("at most 3"), std::string::npos);
    EXPECT_NE(filter("foo").diagnostics.front().message.find("Expected one of"), std::string::npos);
    EXPECT_FALSE(filter("").diagnostics.empty());
}

}  // namespace
}  // namespace spyglass::language

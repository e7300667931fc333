// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "base/source_text.h"

#include <gtest/gtest.h>

namespace spyglass {
namespace {

TEST(SourceText, PlacesAreOneBased) {
    const SourceText source("-e", "ab\ncd\n");
    EXPECT_EQ(source.locate(0).line, 1u);
    EXPECT_EQ(source.locate(0).column, 1u);
    EXPECT_EQ(source.locate(4).line, 2u);
    EXPECT_EQ(source.locate(4).column, 2u);
    EXPECT_EQ(source.locate(2).line, 1u);
    EXPECT_EQ(source.locate(100).line, 3u);
}

TEST(SourceText, LinesComeWithoutTheirEnds) {
    const SourceText source("-e", "ab\r\ncd");
    EXPECT_EQ(source.line(1), "ab");
    EXPECT_EQ(source.line(2), "cd");
    EXPECT_EQ(source.line(3), "");
    EXPECT_EQ(source.line(0), "");
}

}  // namespace
}  // namespace spyglass

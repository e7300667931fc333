// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <gtest/gtest.h>

namespace spyglass {
namespace {

TEST(Bytes, RoundTrip) {
    ByteWriter to;
    to.number(uint32_t{7});
    to.text("\xff text");
    to.number(int64_t{-5});
    const auto bytes = to.take();
    ByteReader from(bytes);
    EXPECT_EQ(from.number<uint32_t>(), 7u);
    EXPECT_EQ(from.text(), "\xff text");
    EXPECT_EQ(from.number<int64_t>(), -5);
    EXPECT_TRUE(from.finished());
}

TEST(Bytes, EveryTruncationFailsAndStaysInside) {
    ByteWriter to;
    to.text("abc");
    to.number(uint64_t{1});
    const auto bytes = to.take();
    for (size_t size = 0; size < bytes.size(); ++size) {
        ByteReader from(std::span<const std::byte>(bytes).first(size));
        (void)from.text();
        (void)from.number<uint64_t>();
        EXPECT_TRUE(from.failed()) << size;
    }
}

TEST(Bytes, CountsThatCannotFitAreRefused) {
    ByteWriter to;
    to.number(uint32_t{0xffffffff});
    const auto bytes = to.take();
    ByteReader from(bytes);
    EXPECT_EQ(from.count(8), 0u);
    EXPECT_TRUE(from.failed());
}

}  // namespace
}  // namespace spyglass

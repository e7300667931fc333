// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/arena.h"

#include <gtest/gtest.h>

#include <vector>

#include "aggregate/snapshot.h"

namespace spyglass::aggregate {
namespace {

struct Memory {
    explicit Memory(size_t bytes) : words(bytes / 8) {}
    std::span<std::byte> span() { return std::as_writable_bytes(std::span(words)); }
    std::vector<uint64_t> words;
};

TEST(Arena, WhatIsWrittenIsRead) {
    Memory memory(1 << 16);
    Arena arena(memory.span());
    MapRecord* const map = arena.add_map("calls");
    EntryRecord* const f = arena.add_entry(*map, Kind::count, KeyKind::text, "f");
    EntryRecord* const g = arena.add_entry(*map, Kind::sum, KeyKind::integer, "7");
    EntryRecord* const h = arena.add_entry(*map, Kind::sum, KeyKind::other, "(1, 2)");
    arena.set_integer(*f, 3);
    arena.set_real(*g, 2.5);
    ASSERT_TRUE(arena.set_text(*h, "123456789012345678901234567890"));
    const auto maps = snapshot(memory.span());
    ASSERT_TRUE(maps);
    ASSERT_EQ(maps->size(), 1u);
    const MapSnapshot& read = maps->front();
    EXPECT_EQ(read.name, "calls");
    ASSERT_EQ(read.entries.size(), 3u);
    EXPECT_EQ(read.entries[0].key, "f");
    EXPECT_EQ(read.entries[0].integer, 3);
    EXPECT_EQ(read.entries[1].real, 2.5);
    EXPECT_EQ(read.entries[2].text, "123456789012345678901234567890");
}

TEST(Arena, EntriesWithoutAValueAreNotShown) {
    Memory memory(1 << 12);
    Arena arena(memory.span());
    arena.add_entry(*arena.add_map("m"), Kind::count, KeyKind::text, "k");
    EXPECT_TRUE(snapshot(memory.span())->front().entries.empty());
}

TEST(Arena, HistogramsGrowInBothDirections) {
    Memory memory(1 << 16);
    Arena arena(memory.span());
    EntryRecord* const entry = arena.add_entry(*arena.add_map("m"), Kind::quantize, KeyKind::text, "k");
    const int32_t buckets[] = {3, 200, -150, 3, 0};
    for (const int32_t bucket : buckets) ASSERT_TRUE(arena.add_to_histogram(*entry, bucket));
    ASSERT_TRUE(arena.add_not_a_number(*entry));
    const Histogram histogram = snapshot(memory.span())->front().entries.front().histogram;
    EXPECT_EQ(histogram.total(), 5u);
    EXPECT_EQ(histogram.not_numbers, 1u);
    EXPECT_EQ(histogram.counts[static_cast<size_t>(3 - histogram.first_bucket)], 2u);
    EXPECT_EQ(histogram.counts[static_cast<size_t>(-150 - histogram.first_bucket)], 1u);
}

TEST(Arena, AFullArenaSaysSoAndStaysReadable) {
    Memory memory(512);
    Arena arena(memory.span());
    MapRecord* const map = arena.add_map("m");
    int added = 0;
    while (EntryRecord* const entry = arena.add_entry(*map, Kind::count, KeyKind::text, "some key")) {
        arena.set_integer(*entry, ++added);
    }
    EXPECT_GT(added, 1);
    EXPECT_EQ(arena.add_map("n"), nullptr);
    EXPECT_EQ(snapshot(memory.span())->front().entries.size(), static_cast<size_t>(added));
}

}  // namespace
}  // namespace spyglass::aggregate

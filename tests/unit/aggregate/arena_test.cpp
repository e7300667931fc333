// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/arena.h"

#include <gtest/gtest.h>

#include <string>

#include "aggregate/histogram.h"
#include "memory.h"

namespace spyglass::aggregate {
namespace {

TEST(Arena, KeepsMapsAndEntriesInOrder) {
    Memory memory(1 << 16);
    Arena arena(memory.bytes());
    MapRecord* const second = (arena.add_map("b"), arena.add_map("a"));
    for (const char* key : {"z", "a", "m"}) {
        EntryRecord* const entry = arena.add_entry(*second, Kind::count, KeyKind::text, key);
        arena.set_integer(*entry, 1);
    }
    const auto maps = memory.maps();
    ASSERT_EQ(maps.size(), 2u);
    EXPECT_EQ(maps[0].name, "b");
    EXPECT_TRUE(maps[0].entries.empty());
    ASSERT_EQ(maps[1].entries.size(), 3u);
    EXPECT_EQ(maps[1].entries[0].key, "z");
    EXPECT_EQ(maps[1].entries[1].key, "a");
    EXPECT_EQ(maps[1].entries[2].key, "m");
}

TEST(Arena, AnEntryWithoutAValueIsNotShown) {
    Memory memory(1 << 12);
    Arena arena(memory.bytes());
    arena.add_entry(*arena.add_map("m"), Kind::count, KeyKind::text, "k");
    EXPECT_TRUE(memory.maps()[0].entries.empty());
}

TEST(Arena, ARepresentationChangesByOneStore) {
    Memory memory(1 << 12);
    Arena arena(memory.bytes());
    EntryRecord& entry = *arena.add_entry(*arena.add_map("m"), Kind::sum, KeyKind::text, "k");
    arena.set_integer(entry, 7);
    const Shape before = entry.shape.load();
    arena.set_real(entry, 0.5);
    // Had the writer died just before its last store, the old value would stand, whole.
    entry.shape.store(before);
    EXPECT_EQ(memory.maps()[0].entries[0].integer, 7);
    arena.set_integer(entry, 8);
    arena.set_real(entry, 0.25);
    EXPECT_EQ(memory.maps()[0].entries[0].real, 0.25);
}

TEST(Arena, TheTextBeingWrittenIsNotTheTextShown) {
    Memory memory(1 << 12);
    Arena arena(memory.bytes());
    EntryRecord& entry = *arena.add_entry(*arena.add_map("m"), Kind::sum, KeyKind::text, "k");
    ASSERT_TRUE(arena.set_text(entry, "18446744073709551616"));
    for (int i = 0; i < 5; ++i) {
        const uint64_t shown = entry.bits();
        ASSERT_TRUE(arena.set_text(entry, "2844674407370955161" + std::to_string(i)));
        EXPECT_NE(entry.bits(), shown);
        EXPECT_EQ(memory.maps()[0].entries[0].text, "2844674407370955161" + std::to_string(i));
    }
}

TEST(Arena, AGrowingNumberDoesNotEatTheMemory) {
    Memory memory(4096);
    Arena arena(memory.bytes());
    EntryRecord& entry = *arena.add_entry(*arena.add_map("m"), Kind::sum, KeyKind::text, "k");
    for (int i = 0; i < 100'000; ++i)
        ASSERT_TRUE(arena.set_text(entry, "9" + std::string(20, '0') + std::to_string(i)));
}

TEST(Arena, AHistogramGrowsBothWaysAndKeepsItsCounts) {
    Memory memory(1 << 20);
    Arena arena(memory.bytes());
    EntryRecord& entry = *arena.add_entry(*arena.add_map("m"), Kind::quantize, KeyKind::text, "k");
    for (const int32_t bucket : {3, 64, -64, max_bucket, -max_bucket, 3}) {
        ASSERT_TRUE(arena.add_to_histogram(entry, bucket));
    }
    ASSERT_TRUE(arena.add_not_a_number(entry));
    const Histogram histogram = memory.maps()[0].entries[0].histogram;
    const auto count_in = [&](int32_t bucket) {
        return histogram.counts.at(static_cast<size_t>(bucket - histogram.first_bucket));
    };
    EXPECT_EQ(count_in(3), 2u);
    EXPECT_EQ(count_in(64), 1u);
    EXPECT_EQ(count_in(-64), 1u);
    EXPECT_EQ(count_in(max_bucket), 1u);
    EXPECT_EQ(count_in(-max_bucket), 1u);
    EXPECT_EQ(histogram.total(), 6u);
    EXPECT_EQ(histogram.not_numbers, 1u);
}

TEST(Arena, WindowsLeftBehindAddUpToLittle) {
    Memory memory(1 << 20);
    Arena arena(memory.bytes());
    EntryRecord& entry = *arena.add_entry(*arena.add_map("m"), Kind::quantize, KeyKind::text, "k");
    for (int32_t bucket = 0; bucket <= max_bucket; ++bucket)
        ASSERT_TRUE(arena.add_to_histogram(entry, bucket));
    EXPECT_EQ(memory.maps()[0].entries[0].histogram.total(), uint64_t{max_bucket} + 1);
}

TEST(Arena, AFullArenaRefusesAndStaysWhole) {
    Memory memory(512);
    Arena arena(memory.bytes());
    MapRecord* const map = arena.add_map("m");
    ASSERT_NE(map, nullptr);
    size_t entries = 0;
    while (EntryRecord* const entry = arena.add_entry(*map, Kind::count, KeyKind::integer, "1")) {
        arena.set_integer(*entry, 1);
        ASSERT_LT(++entries, 100u);
    }
    EXPECT_GT(entries, 0u);
    EXPECT_EQ(arena.add_map("another"), nullptr);
    EntryRecord* const first = &memory.at<EntryRecord>(map->first_entry.load());
    EXPECT_FALSE(arena.set_text(*first, std::string(100, '9')));
    EXPECT_FALSE(arena.add_not_a_number(*first));
    EXPECT_EQ(memory.maps()[0].entries.size(), entries);
    EXPECT_EQ(memory.maps()[0].entries[0].integer, 1);
}

TEST(Arena, MemoryTooSmallForAnythingRefusesEverything) {
    Memory memory(32);
    Arena arena(memory.bytes());
    EXPECT_EQ(arena.add_map("m"), nullptr);
    EXPECT_EQ(Arena().add_map("m"), nullptr);
}

}  // namespace
}  // namespace spyglass::aggregate

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/snapshot.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "aggregate/arena.h"

namespace spyglass::aggregate {
namespace {

TEST(Snapshot, MemoryThatNobodyFormattedHasNoMaps) {
    const std::vector<uint64_t> words(64);
    const auto maps = snapshot(std::as_bytes(std::span(words)));
    ASSERT_TRUE(maps);
    EXPECT_TRUE(maps->empty());
}

TEST(Snapshot, AnotherMagicIsDamage) {
    std::vector<uint64_t> words(64);
    words[0] = 1;
    EXPECT_FALSE(snapshot(std::as_bytes(std::span(words))));
}

// Whatever stands in the memory: an answer or an error, within the memory.
TEST(Snapshot, SurvivesAnyBytes) {
    std::mt19937_64 random(2);
    std::vector<uint64_t> good(512);
    Arena arena(std::as_writable_bytes(std::span(good)));
    MapRecord* const map = arena.add_map("map");
    for (int i = 0; i < 8; ++i) {
        EntryRecord* const entry = arena.add_entry(*map, Kind::quantize, KeyKind::text, "key");
        arena.add_to_histogram(*entry, i);
    }
    for (int round = 0; round < 5000; ++round) {
        std::vector<uint64_t> bad = good;
        for (int i = 0; i < 3; ++i) bad[random() % 128] = random() % 2 ? random() : random() % 4096;
        (void)snapshot(std::as_bytes(std::span(bad)));
    }
}

}  // namespace
}  // namespace spyglass::aggregate

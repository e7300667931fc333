// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every way in which the target's memory can lie.
#include "aggregate/snapshot.h"

#include <gtest/gtest.h>

#include "aggregate/histogram.h"
#include "memory.h"

namespace spyglass::aggregate {
namespace {

class Lying : public testing::Test {
  protected:
    Memory memory_{1 << 16};
    Arena arena_{memory_.bytes()};
    MapRecord& map_ = *arena_.add_map("m");
    EntryRecord& entry_ = *arena_.add_entry(map_, Kind::quantize, KeyKind::text, "key");
    ArenaHeader& header_ = memory_.at<ArenaHeader>(0);
};

TEST(Snapshot, ZeroesAreNoMaps) {
    Memory memory(4096);
    EXPECT_TRUE(memory.maps().empty());
    EXPECT_TRUE(snapshot({})->empty());
}

TEST_F(Lying, TheTruthIsRead) {
    arena_.add_to_histogram(entry_, 2);
    EXPECT_EQ(memory_.maps()[0].entries[0].histogram.total(), 1u);
}

TEST_F(Lying, AnotherMagic) {
    header_.magic += 1;
    EXPECT_TRUE(memory_.is_damaged());
}

TEST_F(Lying, LinksOutsideOrAskewOrBackwards) {
    for (const uint64_t offset :
         {uint64_t{1} << 16, (uint64_t{1} << 16) - 8, ~uint64_t{7}, uint64_t{65}, uint64_t{1}}) {
        header_.first_map.store(offset);
        EXPECT_TRUE(memory_.is_damaged()) << offset;
    }
    header_.first_map.store(memory_.offset_of(&map_));
    map_.next.store(memory_.offset_of(&map_));
    EXPECT_TRUE(memory_.is_damaged());
    map_.next.store(0);
    entry_.next.store(memory_.offset_of(&entry_));
    EXPECT_TRUE(memory_.is_damaged());
}

TEST_F(Lying, NamesAndKeysLongerThanTheMemory) {
    map_.name_bytes = 1 << 17;
    EXPECT_TRUE(memory_.is_damaged());
    map_.name_bytes = 1;
    entry_.key_bytes = ~0u;
    EXPECT_TRUE(memory_.is_damaged());
}

TEST_F(Lying, EnumeratorsThatDoNotExist) {
    entry_.kind = static_cast<Kind>(200);
    EXPECT_TRUE(memory_.is_damaged());
    entry_.kind = Kind::count;
    entry_.key_kind = static_cast<KeyKind>(200);
    EXPECT_TRUE(memory_.is_damaged());
    entry_.key_kind = KeyKind::text;
    entry_.shape.store(77);
    EXPECT_TRUE(memory_.is_damaged());
}

TEST_F(Lying, CellsThatPointNowhere) {
    for (const Representation kind : {Representation::text, Representation::histogram}) {
        for (const uint64_t offset :
             {~uint64_t{0}, uint64_t{1} << 16, (uint64_t{1} << 16) - 8, uint64_t{3}}) {
            entry_.cells[0].store(offset);
            entry_.shape.store(shape_of(kind, 0));
            EXPECT_TRUE(memory_.is_damaged()) << offset;
        }
    }
}

TEST_F(Lying, WindowsThatAreTooWideOrFarAway) {
    arena_.add_to_histogram(entry_, 0);
    auto& window = memory_.at<HistogramWindow>(entry_.bits());
    const int32_t first = window.first_bucket;
    window.bucket_count = ~0u;
    EXPECT_TRUE(memory_.is_damaged());
    window.bucket_count = 16;
    for (const int32_t wrong : {INT32_MIN, -max_bucket - 1, max_bucket, INT32_MAX}) {
        window.first_bucket = wrong;
        EXPECT_TRUE(memory_.is_damaged()) << wrong;
    }
    window.first_bucket = first;
    EXPECT_FALSE(memory_.is_damaged());
}

TEST_F(Lying, RecordsThatShareTheirBytesCannotMakeMoreOfThem) {
    // Many maps, all of which claim the same long chain of entries.
    for (int i = 0; i < 300; ++i) {
        arena_.set_integer(*arena_.add_entry(map_, Kind::count, KeyKind::text, "k"), 1);
    }
    for (int i = 0; i < 200; ++i) {
        MapRecord* const other = arena_.add_map("o");
        ASSERT_NE(other, nullptr);
        other->first_entry.store(map_.first_entry.load());
    }
    EXPECT_TRUE(memory_.is_damaged());
}

TEST_F(Lying, RemovedEntriesAreNotShown) {
    arena_.add_to_histogram(entry_, 2);
    entry_.removed.store(1);
    EXPECT_TRUE(memory_.maps()[0].entries.empty());
}

}  // namespace
}  // namespace spyglass::aggregate

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/render.h"

#include <gtest/gtest.h>

#include <cmath>

namespace spyglass::aggregate {
namespace {

EntrySnapshot number(KeyKind kind, std::string key, int64_t value) {
    EntrySnapshot entry;
    entry.key_kind = kind;
    entry.key = std::move(key);
    entry.representation = Representation::integer;
    entry.integer = value;
    return entry;
}

TEST(Render, EntriesAscendByValueWithAlignedKeysAndValues) {
    MapSnapshot map;
    map.name = "calls";
    map.entries = {number(KeyKind::text, "k", 55), number(KeyKind::text, "jj", 5)};
    EXPECT_EQ(render(map), "calls \n\n  jj:  5\n  k : 55\n");
}

TEST(Render, IntegerKeysStandRight) {
    MapSnapshot map;
    map.name = "@";
    map.entries = {number(KeyKind::integer, "7", 1), number(KeyKind::integer, "100", 2)};
    EXPECT_EQ(render(map), "@ \n\n    7: 1\n  100: 2\n");
}

TEST(Render, AMapWithNothingInItIsNotShown) { EXPECT_EQ(render(MapSnapshot{"empty", {}, 0}), ""); }

TEST(Render, TheReferencesHistogram) {
    Histogram histogram;
    histogram.first_bucket = 9;  // 256
    histogram.counts = {4, 2};
    histogram.counts.resize(24);
    histogram.counts[23] = 1;  // 2147483648
    const std::string text = render(histogram);
    EXPECT_EQ(text.substr(0, text.find('\n')), "               value  ------------- Distribution ------------- count");
    EXPECT_NE(text.find("\n                 128 |                                         0\n"
                        "                 256 |@@@@@@@@@@@@@@@@@@@@@@@                  4\n"
                        "                 512 |@@@@@@@@@@@                              2\n"),
              std::string::npos);
    EXPECT_NE(text.find("\n          2147483648 |@@@@@@                                   1\n"
                        "          4294967296 |                                         0\n"),
              std::string::npos);
}

TEST(Render, HistogramsOfSeveralKeysFollowEachOther) {
    EntrySnapshot entry;
    entry.key = "b";
    entry.key_kind = KeyKind::text;
    entry.representation = Representation::histogram;
    entry.histogram.counts = {3};
    EntrySnapshot smaller = entry;
    smaller.key = "a";
    smaller.histogram.counts = {1};
    const std::string text = render(MapSnapshot{"q", {entry, smaller}, 0});
    EXPECT_LT(text.find("  a:\n"), text.find("  b:\n"));
}

TEST(Render, FloatsAsPythonPrintsThem) {
    EXPECT_EQ(render(5.0), "5.0");
    EXPECT_EQ(render(0.1), "0.1");
    EXPECT_EQ(render(100000.0), "100000.0");
    EXPECT_EQ(render(1e16), "1e+16");
    EXPECT_EQ(render(2e300), "2e+300");
    EXPECT_EQ(render(0.0001), "0.0001");
    EXPECT_EQ(render(0.00001), "1e-05");
    EXPECT_EQ(render(-INFINITY), "-inf");
    EXPECT_EQ(render(NAN), "nan");
}

TEST(Render, BeyondSixtyFourBitsTheOrderIsStillByValue) {
    MapSnapshot map;
    map.name = "m";
    for (const char* text : {"99999999999999999999", "-99999999999999999999", "100000000000000000000"}) {
        EntrySnapshot entry;
        entry.key = entry.text = text;
        entry.representation = Representation::text;
        map.entries.push_back(entry);
    }
    map.entries.push_back(number(KeyKind::other, "five", 5));
    const std::string text = render(map);
    EXPECT_LT(text.find("-9999"), text.find("five"));
    EXPECT_LT(text.find("five"), text.find(" 99999"));
    EXPECT_LT(text.find(" 99999"), text.find(" 100000000"));
}

}  // namespace
}  // namespace spyglass::aggregate

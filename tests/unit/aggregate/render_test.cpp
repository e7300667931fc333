// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/render.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace spyglass::aggregate {
namespace {

constexpr char title[] = "               value  ------------- Distribution ------------- count\n";

EntrySnapshot entry(KeyKind kind, std::string key, int64_t value) {
    EntrySnapshot made;
    made.key_kind = kind;
    made.key = std::move(key);
    made.representation = Representation::integer;
    made.integer = value;
    return made;
}

EntrySnapshot real(std::string key, double value) {
    EntrySnapshot made = entry(KeyKind::text, std::move(key), 0);
    made.representation = Representation::real;
    made.real = value;
    return made;
}

EntrySnapshot digits(std::string key, std::string text) {
    EntrySnapshot made = entry(KeyKind::text, std::move(key), 0);
    made.representation = Representation::text;
    made.text = std::move(text);
    return made;
}

EntrySnapshot histogram(std::string key, Histogram histogram) {
    EntrySnapshot made = entry(KeyKind::text, std::move(key), 0);
    made.representation = Representation::histogram;
    made.histogram = std::move(histogram);
    return made;
}

std::string keys_of(const MapSnapshot& map) {
    std::string keys;
    const std::string text = render(map);
    for (size_t at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ", at + 1))
        keys += text[at + 3];
    return keys;
}

TEST(Render, EntriesAscendAndTiesKeepTheirOrder) {
    const MapSnapshot map{"calls",
                          {entry(KeyKind::text, "long", 12), entry(KeyKind::text, "b", 3),
                           entry(KeyKind::text, "a", 3)},
                          0};
    EXPECT_EQ(render(map), "calls \n\n  b   :  3\n  a   :  3\n  long: 12\n");
}

TEST(Render, IntegerKeysStandRightAndOthersLeft) {
    const MapSnapshot map{"m",
                          {entry(KeyKind::integer, "7", 1), entry(KeyKind::integer, "123", 2),
                           entry(KeyKind::other, "(1, 'two')", 3)},
                          0};
    EXPECT_EQ(render(map), "m \n\n           7: 1\n         123: 2\n  (1, 'two'): 3\n");
}

TEST(Render, ColumnsAreCharactersNotBytes) {
    const MapSnapshot map{
        "m", {entry(KeyKind::text, "żółw", 1), entry(KeyKind::text, "abcde", 2)}, 0};
    EXPECT_EQ(render(map), "m \n\n  żółw : 1\n  abcde: 2\n");
}

TEST(Render, NumbersOfAllKindsAreOrderedByValue) {
    const MapSnapshot map{
        "m",
        {digits("f", "99999999999999999999"), real("c", 0.5), digits("a", "-99999999999999999999"),
         entry(KeyKind::text, "d", 1), digits("g", "100000000000000000000"), real("h", 1e300),
         entry(KeyKind::text, "b", -1), real("i", INFINITY), real("j", NAN), real("e", 1.5)},
        0};
    EXPECT_EQ(keys_of(map), "abcdefghij");
}

TEST(Render, IntegersThatADoubleCannotTellApartAreOrdered) {
    const int64_t big = int64_t{1} << 53;
    const MapSnapshot map{
        "m", {entry(KeyKind::text, "b", big + 1), real("a", static_cast<double>(big))}, 0};
    EXPECT_EQ(keys_of(map), "ab");
}

TEST(Render, HexadecimalIsBeyondEveryDecimal) {
    const MapSnapshot map{
        "m",
        {digits("d", "0x1" + std::string(9, 'f')), digits("c", std::string(30, '9')),
         digits("a", "-0x1ffffffff"), digits("b", "-" + std::string(30, '9'))},
        0};
    EXPECT_EQ(keys_of(map), "abcd");
}

TEST(Render, NothingForAMapWithNothingInIt) {
    EXPECT_EQ(render(MapSnapshot{"m", {}, 0}), "");
}

TEST(Render, WhatFoundNoRoomIsSaid) {
    EXPECT_EQ(render(MapSnapshot{"m", {entry(KeyKind::text, "a", 1)}, 5}),
              "m \n\n  a: 1\n  (other): 5 updates\n");
}

TEST(Render, FloatsLookAsInPython) {
    EXPECT_EQ(render(5.0), "5.0");
    EXPECT_EQ(render(0.1), "0.1");
    EXPECT_EQ(render(-0.0), "-0.0");
    EXPECT_EQ(render(1e15), "1000000000000000.0");
    EXPECT_EQ(render(1e16), "1e+16");
    EXPECT_EQ(render(2e300), "2e+300");
    EXPECT_EQ(render(0.0001), "0.0001");
    EXPECT_EQ(render(0.00001), "1e-05");
    EXPECT_EQ(render(1 / 3.0), "0.3333333333333333");
    EXPECT_EQ(render(std::numeric_limits<double>::denorm_min()), "5e-324");
    EXPECT_EQ(render(-INFINITY), "-inf");
    EXPECT_EQ(render(NAN), "nan");
}

TEST(Render, AHistogramHasOneRowMoreOnBothSides) {
    const std::string space(41, ' ');
    EXPECT_EQ(render(Histogram{0, {3}, 0}), std::string(title) + "                  -1 |" + space +
                                                "0\n" + "                   0 |" +
                                                std::string(40, '@') + " 3\n" +
                                                "                   1 |" + space + "0\n");
}

TEST(Render, BarsRoundHalfToEven) {
    // 1/16 of 40 is 2.5 and 15/16 is 37.5: to 2 and 38; the spaces round by themselves.
    const std::string text = render(Histogram{1, {1, 15}, 0});
    EXPECT_NE(text.find("                   1 |@@" + std::string(38, ' ') + " 1\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("                   2 |" + std::string(38, '@') + "   15\n"),
              std::string::npos)
        << text;
}

TEST(Render, WhatIsNoNumberHasARowOfItsOwn) {
    const std::string text = render(Histogram{0, {1}, 2});
    EXPECT_NE(text.find("          not finite |" + std::string(41, ' ') + "2\n"), std::string::npos)
        << text;
}

TEST(Render, HistogramsStandBelowTheirKeysByTotal) {
    const MapSnapshot map{"q", {histogram("many", {0, {9}, 0}), histogram("few", {0, {1}, 0})}, 0};
    const std::string text = render(map);
    EXPECT_EQ(text.find("q \n\n  few :\n" + std::string(title)), 0u) << text;
    EXPECT_GT(text.find("  many:\n"), text.find("  few :\n"));
}

TEST(Render, CountsThatOverflowTogetherAreDrawn) {
    const std::string text = render(Histogram{0, {uint64_t{1} << 63, uint64_t{1} << 63, 1}, 0});
    EXPECT_NE(text.find("                   0 |" + std::string(20, '@')), std::string::npos)
        << text;
}

}  // namespace
}  // namespace spyglass::aggregate

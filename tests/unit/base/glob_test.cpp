// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "base/glob.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace spyglass {
namespace {

TEST(Glob, LiteralMatchesItselfAlone) {
    EXPECT_TRUE(glob_matches("a.b", "a.b"));
    EXPECT_FALSE(glob_matches("a.b", "a.bc"));
    EXPECT_FALSE(glob_matches("a.b", "xa.b"));
    EXPECT_FALSE(glob_matches("a.b", "aXb"));
    EXPECT_TRUE(glob_matches("", ""));
    EXPECT_FALSE(glob_matches("", "a"));
}

TEST(Glob, StarMatchesAnyRunDotsAndSlashesIncluded) {
    EXPECT_TRUE(glob_matches("*", ""));
    EXPECT_TRUE(glob_matches("a.*", "a.b.c"));
    EXPECT_TRUE(glob_matches("*/c.py", "/x/y/c.py"));
    EXPECT_FALSE(glob_matches("*/c.py", "c.py"));
    EXPECT_TRUE(glob_matches("outer.*.inner", "outer.<locals>.inner"));
    EXPECT_FALSE(glob_matches("outer.*.inner", "outer.inner"));
}

TEST(Glob, QuestionMarksAndBracketsAreThemselves) {
    EXPECT_TRUE(glob_matches("a?[b]", "a?[b]"));
    EXPECT_FALSE(glob_matches("a?", "ab"));
}

TEST(Glob, AQuestionMarkIsOneByteWhereTheLanguageHasIt) {
    constexpr auto both = Wildcards::star_and_question;
    EXPECT_TRUE(glob_matches("a?c*", "abcd", both));
    EXPECT_FALSE(glob_matches("a?c", "ac", both));
    EXPECT_TRUE(glob_matches("*?", "x", both));
    EXPECT_FALSE(glob_matches("*?", "", both));
    EXPECT_FALSE(glob_is_literal("a?", both));
    EXPECT_TRUE(glob_is_literal("a?"));
}

TEST(Glob, ManyStarsDoNotExplode) {
    const std::string text(2000, 'a');
    std::string pattern;
    for (int i = 0; i < 200; ++i) pattern += "a*";
    EXPECT_FALSE(glob_matches(pattern + "b", text));
    EXPECT_TRUE(glob_matches(pattern, text));
}

// Against the definition, by recursion.
bool by_definition(std::string_view p, std::string_view t) {
    if (p.empty()) return t.empty();
    if (p[0] == '*')
        return by_definition(p.substr(1), t) || (!t.empty() && by_definition(p, t.substr(1)));
    return !t.empty() && p[0] == t[0] && by_definition(p.substr(1), t.substr(1));
}

TEST(Glob, AgreesWithItsDefinition) {
    std::mt19937 random(1);
    for (int i = 0; i < 20000; ++i) {
        std::string pattern;
        std::string text;
        for (auto n = random() % 8; n > 0; --n) pattern += "ab*"[random() % 3];
        for (auto n = random() % 10; n > 0; --n) text += "ab"[random() % 2];
        EXPECT_EQ(glob_matches(pattern, text), by_definition(pattern, text))
            << pattern << " " << text;
    }
}

}  // namespace
}  // namespace spyglass

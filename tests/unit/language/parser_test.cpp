// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "language/language.h"

namespace spyglass::language {
namespace {

Parsed parse_text(const std::string& text) {
    return parse(SourceText("-e", text));
}

plan::Program program_of(const std::string& text) {
    Parsed parsed = parse_text(text);
    for (const Diagnostic& each : parsed.diagnostics) ADD_FAILURE() << text << ": " << each.message;
    return parsed.program;
}

Diagnostic mistake_in(const std::string& text) {
    const Parsed parsed = parse_text(text);
    EXPECT_FALSE(parsed.diagnostics.empty()) << text;
    return parsed.diagnostics.empty() ? Diagnostic{} : parsed.diagnostics.front();
}

TEST(Parser, AnEmptyProgramHasNoClauses) {
    EXPECT_TRUE(program_of("").clauses.empty());
    EXPECT_TRUE(program_of(" \n# only a comment").clauses.empty());
    EXPECT_TRUE(program_of("#!/usr/bin/spyglass -f\n").clauses.empty());
}

TEST(Parser, PartsOfASpec) {
    const plan::Site site = program_of("func:a.<locals>.b*:start {{}}").clauses[0].sites[0];
    EXPECT_EQ(site.kind, plan::SiteKind::func_start);
    EXPECT_EQ(site.pattern, "a.<locals>.b*");
    EXPECT_EQ(site.text, "func:a.<locals>.b*:start");
}

TEST(Parser, AnEmptyMiddleMeansEverything) {
    EXPECT_EQ(program_of("func::start {{}}").clauses[0].sites[0].pattern, "*");
    EXPECT_EQ(program_of("line::1 {{}}").clauses[0].sites[0].pattern, "*");
}

TEST(Parser, LinesAreNumbersRangesOrEverything) {
    EXPECT_EQ(program_of("line:*/a.py:12 {{}}").clauses[0].sites[0].last_line, 12u);
    const plan::Site range = program_of("line:a.py:3-9{{}}").clauses[0].sites[0];
    EXPECT_EQ(range.first_line, 3u);
    EXPECT_EQ(range.last_line, 9u);
    EXPECT_EQ(program_of("line:a.py:*{{}}").clauses[0].sites[0].last_line, 0u);
    for (const char* bad : {"0", "x", "3-", "9-3", "-1", "3x"}) {
        EXPECT_NE(mistake_in(std::string("line:a.py:") + bad + " {{}}").message.find("line number"),
                  std::string::npos)
            << bad;
    }
}

TEST(Parser, SpecListsAndPredicates) {
    const plan::Clause clause =
        program_of("func:f:start , func:g:start # both\n / ctx.a / 2 > 1 / {{ x }}").clauses[0];
    EXPECT_EQ(clause.sites.size(), 2u);
    EXPECT_EQ(clause.predicate, "ctx.a / 2 > 1");
    EXPECT_EQ(clause.action, "x ");
}

TEST(Parser, ClausesFollowEachOtherWithoutSpace) {
    EXPECT_EQ(program_of("pymontrace::BEGIN{{}}pymontrace::END{{}}").clauses.size(), 2u);
    EXPECT_EQ(program_of("spyglass::BEGIN{{}}").clauses[0].sites[0].kind, plan::SiteKind::begin);
}

TEST(Parser, MistakesHavePlaces) {
    const Diagnostic unknown = mistake_in("\n  fnuc:f:start {{}}");
    EXPECT_EQ(unknown.location.line, 2u);
    EXPECT_EQ(unknown.location.column, 3u);
    EXPECT_NE(unknown.hint.find("func"), std::string::npos);
    const Diagnostic site = mistake_in("func:f:strat {{}}");
    EXPECT_EQ(site.location.column, 8u);
    EXPECT_NE(site.hint.find("start"), std::string::npos);
    EXPECT_NE(mistake_in("func:f:start print").message.find("'{{'"), std::string::npos);
    EXPECT_NE(mistake_in("func:f {{}}").message.find("':'"), std::string::npos);
    EXPECT_NE(mistake_in("func:f: {{}}").message.find("lacks"), std::string::npos);
    EXPECT_NE(mistake_in("func:f:start {{ x").message.find("'}}'"), std::string::npos);
    EXPECT_NE(mistake_in("func:f:start / x {{}}").message.find("predicate"), std::string::npos);
    EXPECT_NE(mistake_in("raise:ValueError: {{}}").message.find("not available"),
              std::string::npos);
}

TEST(Parser, EveryClauseIsCheckedInOneRun) {
    EXPECT_EQ(parse_text("fnuc:f:start {{}} func:f:stop {{}} line:a:b {{}}").diagnostics.size(),
              3u);
}

TEST(Parser, AssignmentsThatCannotWorkSayWhatToWrite) {
    EXPECT_NE(mistake_in("func:f:start {{ ctx.a = 1 }}").hint.find("vars"), std::string::npos);
    EXPECT_NE(mistake_in("func:f:start {{ maps.a = 1 }}").hint.find("[KEY]"), std::string::npos);
    EXPECT_TRUE(parse_text("func:f:start {{ if ctx.a == 1: maps.a[1] = 2 }}").diagnostics.empty());
}

TEST(Parser, AnyBytesEndInAnAnswer) {
    std::mt19937 random(6);
    const std::string alphabet = "func:line*.:/{}()[]\"'#\\\n f,x=";
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (auto n = random() % 60; n > 0; --n) text += alphabet[random() % alphabet.size()];
        (void)parse_text(text);
    }
}

}  // namespace
}  // namespace spyglass::language

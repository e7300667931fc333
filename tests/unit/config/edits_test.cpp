// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/edits.h"

#include <gtest/gtest.h>

#include "configured.h"

namespace spyglass::config {
namespace {

constexpr size_t python = 0;

TEST(Edits, SetMergesAndLaterLinesWin) {
    const Configuration result = configured(
        "[Lexgion(Python:f)] : Python.default : Python.thread(1)\n"
        "max_num_traces = 5\ntracing_rate = 2\n"
        "[SET Lexgion(Python:f)]\nmax_num_traces = 7\n"
        "max_num_traces = 8\n");
    ASSERT_EQ(result.named.size(), 1u);
    const Section& section = result.named[0].section;
    EXPECT_EQ(section.keys.max_num_traces->value, 8);
    EXPECT_EQ(section.keys.tracing_rate->value, 2u);
    EXPECT_EQ(section.parents.size(), 1u) << "a header without parents keeps those that stand";
    EXPECT_EQ(section.constraints.size(), 1u);
    EXPECT_EQ(section.keys.max_num_traces->origin.line, 6u);
}

TEST(Edits, RegionsOfAListAreSectionsOfTheirOwn) {
    Configuration result = configured("[Lexgion(Python:f, Python:g)]\nmax_num_traces = 5\n");
    ASSERT_EQ(result.named.size(), 2u);
    result = configured("[REMOVE Lexgion(Python:f)]\n", std::move(result));
    ASSERT_EQ(result.named.size(), 1u);
    EXPECT_EQ(result.named[0].region.name, "g");
    result = configured("[REMOVE Lexgion(*)]\n", std::move(result));
    EXPECT_TRUE(result.named.empty());
}

TEST(Edits, ResetGoesBackToTheBuiltInDefaults) {
    Configuration result = configured(
        "[Python.default]\ntrace_mode = OFF\npysysmon_import = on\n"
        "Python.thread = (3)\n"
        "[Lexgion.default]\nmax_num_traces = 3\n"
        "[Lexgion(Python).default]\nmax_num_traces = 4\n");
    result = configured(
        "[RESET Python.default]\n[RESET Lexgion.default]\n"
        "[RESET Lexgion(Python).default]\n",
        std::move(result));
    EXPECT_EQ(result.mode(schema::DomainId::python), Mode::tracing);
    EXPECT_EQ(events_on(result, function("f"), 0), built_in);
    EXPECT_EQ(resolve(result, function("f")).max_num_traces.value, unlimited);
    EXPECT_FALSE(result.domain_lexgion_defaults[python]);
}

TEST(Edits, AfterAResetKeysMayFollow) {
    const Configuration result = configured(
        "[Lexgion(Python).default]\nmax_num_traces = 4\ntracing_rate = 9\n"
        "[RESET Lexgion(Python).default]\nmax_num_traces = 6\n");
    const FunctionSettings settings = resolve(result, function("f"));
    EXPECT_EQ(settings.max_num_traces.value, 6);
    EXPECT_EQ(settings.tracing_rate.value, 1u);
}

TEST(Edits, OnlyModesThatAreSetChangeOnAReload) {
    Configuration result = configured("[Python.default]\ntrace_mode = STANDBY\n");
    const auto modes = [&](const std::string& text) {
        return apply_edits(parsed(text).edits, result).modes;
    };
    EXPECT_FALSE(modes("[Python.default]\npysysmon_import = on\n")[python]);
    EXPECT_EQ(modes("[Python.default]\ntrace_mode = MONITORING\n")[python], Mode::monitoring);
    EXPECT_EQ(modes("[RESET Python.default]\n")[python], Mode::tracing);
    EXPECT_FALSE(modes("[RESET Python.default]\n")[1]);
}

TEST(Edits, RemovingPunitsTakesThemOutOfEverySection) {
    Configuration result = configured(
        "[Python.thread(0-3)]\npysysmon_c_start = off\n"
        "[Python.thread(2)]\npysysmon_c_return = off\n");
    result = configured("[REMOVE Python.thread(2-3)]\n", std::move(result));
    ASSERT_EQ(result.punits.size(), 1u);
    EXPECT_EQ(result.punits[0].punits.text(), "Python.thread(0-1)");
    result = configured("[REMOVE Python.thread(*)]\n", std::move(result));
    EXPECT_TRUE(result.punits.empty());
}

TEST(Edits, RemovingWhatIsNotThereIsAWarning) {
    for (const char* text : {"[REMOVE Python.thread(0)]", "[REMOVE Lexgion(Python:f)]",
                             "[REMOVE Lexgion(*)]", "[REMOVE Lexgion(0x12)]"}) {
        Configuration empty;
        const Applied applied = apply_edits(parsed(text).edits, empty);
        ASSERT_EQ(applied.warnings.size(), 1u) << text;
        EXPECT_EQ(applied.warnings[0].severity, Severity::warning);
        EXPECT_EQ(applied.warnings[0].location.line, 1u);
    }
}

}  // namespace
}  // namespace spyglass::config

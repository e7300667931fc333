// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/resolver.h"

#include <gtest/gtest.h>

#include "configured.h"

namespace spyglass::config {
namespace {

int64_t most(const Configuration& configuration, const FunctionName& name) {
    return resolve(configuration, name).max_num_traces.value;
}

TEST(Resolver, BuiltInDefaults) {
    const Configuration nothing;
    const FunctionSettings settings = resolve(nothing, function("f"));
    EXPECT_EQ(settings.rate(), (RateLimit{0, -1, 1}));
    EXPECT_TRUE(settings.section.empty());
    EXPECT_FALSE(settings.trace_mode_after.value);
    EXPECT_EQ(events_on(nothing, function("f"), 7), built_in);
    EXPECT_EQ(nothing.mode(schema::DomainId::cuda), Mode::tracing);
}

TEST(Resolver, TheMostSpecificSectionTakesTheFunction) {
    const Configuration configuration = configured(
        "[Lexgion.default]\nmax_num_traces = 1\n"
        "[Lexgion(Python).default]\nmax_num_traces = 2\n"
        "[Lexgion(Python:s.py:C.f)]\nmax_num_traces = 6\n"
        "[Lexgion(Python:s.C.f)]\nmax_num_traces = 5\n"
        "[Lexgion(Python:C.f)]\nmax_num_traces = 4\n"
        "[Lexgion(Python:C.*)]\nmax_num_traces = 3\n");
    EXPECT_EQ(most(configuration, function("C.f", "s", "s.py")), 6);
    EXPECT_EQ(most(configuration, function("C.f", "s", "t.py")), 5);
    EXPECT_EQ(most(configuration, function("C.f", "t", "t.py")), 4);
    EXPECT_EQ(most(configuration, function("C.g", "t", "t.py")), 3);
    EXPECT_EQ(most(configuration, function("g", "t", "t.py")), 2);
    FunctionName region;
    region.domain = schema::DomainId::openmp;
    region.address = 0x12;
    EXPECT_EQ(most(configuration, region), 1);
}

TEST(Resolver, OfEqualSectionsTheLaterWins) {
    EXPECT_EQ(most(configured("[Lexgion(Python:a*)]\nmax_num_traces = 1\n"
                              "[Lexgion(Python:*b)]\nmax_num_traces = 2\n"),
                   function("ab")),
              2);
}

TEST(Resolver, KeysThatASectionDoesNotSetComeFromBelow) {
    const Configuration configuration = configured(
        "[Lexgion.default]\ntrace_starts_at = 3\nwindow_timeout = 1.5\n"
        "[Lexgion(Python).default]\ntracing_rate = 4\nwindow_end_trigger = all\n"
        "trace_mode_after = OFF\n"
        "[Lexgion(Python:f)]\nmax_num_traces = 5\n");
    const FunctionSettings settings = resolve(configuration, function("f"));
    EXPECT_EQ(settings.rate(), (RateLimit{3, 5, 4}));
    EXPECT_EQ(settings.window_timeout.value, 1.5);
    EXPECT_EQ(settings.window_end_trigger.value, WindowEnd::all);
    EXPECT_EQ(text_of(*settings.trace_mode_after.value), "Python:OFF");
    EXPECT_EQ(settings.tracing_rate.section, "[Lexgion(Python).default]");
    EXPECT_EQ(settings.trace_starts_at.origin.line, 2u);
    EXPECT_EQ(settings.section, "[Lexgion(Python:f)]");
}

TEST(Resolver, EventsOfASectionAreOverThoseBelow) {
    const Configuration configuration = configured(
        "[Python.default]\npysysmon_c_start = off\npysysmon_c_return = off\n"
        "[Lexgion.default]\npysysmon_py_return = off\n"
        "[Lexgion(Python).default]\npysysmon_import = on\n"
        "[Lexgion(Python:f)]\npysysmon_c_start = on\n");
    EXPECT_EQ(events_on(configuration, function("f"), 0), start | c_start | import);
    EXPECT_EQ(events_on(configuration, function("g"), 0), start | import);
}

TEST(Resolver, AParentStandsForAllEventsOfItsDomain) {
    const Configuration configuration = configured(
        "[Python.default]\npysysmon_c_start = off\n"
        "[Lexgion(Python).default]\npysysmon_py_start = off\n"
        "[Lexgion(Python:f)] : Python.default\npysysmon_c_return = off\n"
        "[Lexgion(Python:g)] : OpenMP.default\n"
        "[Lexgion(Python:h)] : OpenMP.default, Python.default\n");
    EXPECT_EQ(events_on(configuration, function("f"), 0), start | ret);
    EXPECT_EQ(events_on(configuration, function("g"), 0), ret | c_return);
    EXPECT_EQ(events_on(configuration, function("h"), 0), start | ret | c_return);
}

TEST(Resolver, AConstraintLimitsTheSectionAndNothingBelowStepsIn) {
    const Configuration configuration = configured(
        "[Lexgion(Python).default]\nmax_num_traces = 9\n"
        "[Lexgion(Python:f)] : Python.default : Python.thread(1-2)\n"
        "[Lexgion(Python:g)] : Python.default : Python.thread(1), OpenMP.thread(0)\n");
    EXPECT_EQ(events_on(configuration, function("f"), 1), built_in);
    EXPECT_EQ(events_on(configuration, function("f"), 3), 0u);
    EXPECT_EQ(events_on(configuration, function("h"), 3), built_in);
    EXPECT_EQ(events_on(configuration, function("g"), 1), 0u) << "not on a thread of OpenMP";
    const auto on_both = [](schema::DomainId domain, unsigned) -> std::optional<uint32_t> {
        return domain == schema::DomainId::python ? 1u : 0u;
    };
    EXPECT_TRUE(hold(resolve(configuration, function("g")).constraints, on_both));
}

TEST(Resolver, AConstraintOnTheDefaultIsForFunctionsThatNoSectionNames) {
    const Configuration configuration = configured(
        "[Lexgion(Python).default] : Python.default : Python.thread(0)\n"
        "[Lexgion(Python:f)]\n");
    EXPECT_EQ(events_on(configuration, function("g"), 0), built_in);
    EXPECT_EQ(events_on(configuration, function("g"), 1), 0u);
    EXPECT_EQ(events_on(configuration, function("f"), 1), built_in);
}

TEST(Resolver, ScopeOfADomain) {
    const Configuration listed = configured("[Python.default]\nPython.thread = (0-3)\n");
    EXPECT_EQ(events_on(listed, function("f"), 3), built_in);
    EXPECT_EQ(events_on(listed, function("f"), 4), 0u);

    const Configuration sections = configured(
        "[Python.thread(0-1)]: Python.default\npysysmon_c_start = off\n"
        "[Python.thread(1)]\npysysmon_c_return = off\n");
    EXPECT_EQ(events_on(sections, function("f"), 0), start | ret | c_return);
    EXPECT_EQ(events_on(sections, function("f"), 1), start | ret);
    EXPECT_EQ(events_on(sections, function("f"), 2), 0u);

    const Configuration both = configured(
        "[Python.default]\nPython.thread = (5)\n"
        "[Python.thread(0)]\npysysmon_c_start = off\n");
    EXPECT_EQ(events_on(both, function("f"), 0), start | ret | c_return);
    EXPECT_EQ(events_on(both, function("f"), 5), built_in);
    EXPECT_EQ(events_on(both, function("f"), 1), 0u);

    const Configuration removed = configured("[REMOVE Python.thread(0-1)]\n", sections);
    EXPECT_EQ(events_on(removed, function("f"), 2), built_in);
}

TEST(Resolver, AParentHasTheEventsOfTheThread) {
    const Configuration configuration = configured(
        "[Python.thread(1)]\npysysmon_c_start = off\n"
        "[Lexgion(Python:f)] : Python.default\n");
    EXPECT_EQ(events_on(configuration, function("f"), 1), start | ret | c_return);
}

}  // namespace
}  // namespace spyglass::config

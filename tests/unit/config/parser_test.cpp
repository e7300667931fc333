// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/parser.h"

#include <gtest/gtest.h>

#include "config/check.h"
#include "configured.h"

namespace spyglass::config {
namespace {

// "line:column message" of every diagnostic.
std::vector<std::string> mistakes(const std::string& text) {
    std::vector<std::string> all;
    for (const Diagnostic& each : parsed(text).diagnostics) {
        all.push_back(std::to_string(each.location.line) + ':' +
                      std::to_string(each.location.column) + ' ' + each.message);
    }
    return all;
}

std::string mistake(const std::string& text) {
    const auto all = mistakes(text);
    return all.size() == 1 ? all.front() : std::to_string(all.size()) + " mistakes";
}

TEST(Parser, SpacesCaseAndCommentsMeanNothing) {
    const std::string plain =
        "[Lexgion(Python:f)]:Python.default:Python.thread(0-1,3)\n"
        "max_num_traces=5\n"
        "trace_mode_after=Python:OFF\n"
        "pysysmon_c_start=off\n";
    const std::string loose =
        "\xef\xbb\xbf# first\r\n\r\n"
        "\t[ set  LEXGION( python : f ) ] : PYTHON . DEFAULT : python.THREAD( 0 - 1 , 3 ) # why\r\n"
        "   Max_Num_Traces  =  5#\n"
        "window_end_action = python:off\n"
        "PYSYSMON_C_START = Off";
    const Configuration one = configured(plain);
    const Configuration other = configured(loose);
    ASSERT_EQ(one.named.size(), 1u);
    ASSERT_EQ(other.named.size(), 1u);
    EXPECT_EQ(one.named[0].region, other.named[0].region);
    const Section& a = one.named[0].section;
    const Section& b = other.named[0].section;
    EXPECT_EQ(a.parents, b.parents);
    EXPECT_EQ(a.constraints, b.constraints);
    EXPECT_EQ(a.keys.max_num_traces->value, b.keys.max_num_traces->value);
    EXPECT_EQ(a.keys.trace_mode_after->value, b.keys.trace_mode_after->value);
    EXPECT_EQ(a.keys.events[0].named, b.keys.events[0].named);
    EXPECT_EQ(a.origin.line, 1u);
    EXPECT_EQ(b.origin.line, 3u);
}

TEST(Parser, AnEmptyTextIsAConfiguration) {
    EXPECT_TRUE(mistakes("").empty());
    EXPECT_TRUE(mistakes("# nothing\n\n").empty());
}

TEST(Parser, EveryMistakeOfATextIsReported) {
    const auto all = mistakes(
        "[Python.default]\n"
        "trace_mode = FAST\n"
        "[Nothing.default]\n"
        "max_num_traces = many\n"
        "[Lexgion(Python:f, g)]\n"
        "tracing_rate = 0\n");
    ASSERT_EQ(all.size(), 5u);
    EXPECT_EQ(all[0], "2:14 'FAST' is not a mode");
    EXPECT_EQ(all[1], "3:2 'Nothing' is not a domain");
    EXPECT_EQ(all[2], "4:18 'many' is not a number that this key takes");
    EXPECT_EQ(all[3], "5:20 'g' names no domain");
    EXPECT_EQ(all[4], "6:16 '0' is not a number that this key takes");
}

TEST(Parser, MistakesInHeaders) {
    const std::pair<const char*, const char*> table[] = {
        {"[Python.default", "1:1 this section header has no closing ]"},
        {"[]", "1:2 this section has no name"},
        {"[SET ]", "1:5 this section has no name"},
        {"[Python]", "1:2 'Python' is not a section"},
        {"[Python.defaults]", "1:2 'Python.defaults' is not a section"},
        {"[Python.team(0)]", "1:9 'team' is not a unit of parallelism of Python"},
        {"[Python.thread()]", "1:16 '' is not a number or a range"},
        {"[Python.thread(0,)]", "1:18 '' is not a number or a range"},
        {"[Python.thread(-1)]", "1:16 '-1' is not a number or a range"},
        {"[Python.thread(2-1)]", "1:16 the range '2-1' ends before it begins"},
        {"[Python.thread(0) x]", "1:2 'Python.thread(0) x' is not a section"},
        {"[OpenMP.team(256)]", "1:14 there is no OpenMP.team 256"},
        {"[OpenMP.device(0-17)]", "1:16 there is no OpenMP.device 17"},
        {"[Lexgion]", "1:2 'Lexgion' is not a section"},
        {"[Lexgion()]", "1:10 '' names no domain"},
        {"[Lexgion(Python)]", "1:10 'Python' names no domain"},
        {"[Lexgion(Python).defaul]", "1:17 '.defaul' does not belong here"},
        {"[Lexgion(Pthon).default]", "1:10 'Pthon' is not a domain"},
        {"[Lexgion(*)]", "1:10 '*' names no domain"},
        {"[REMOVE Python.default]", "1:9 a default section cannot be removed"},
        {"[REMOVE Lexgion.default]", "1:9 a default section cannot be removed"},
        {"[RESET Python.thread(0)]", "1:8 only a default section can be reset"},
        {"[RESET Lexgion(Python:f)]", "1:8 only a default section can be reset"},
        {"[Lexgion(Python:f)] Python.default",
         "1:21 'Python.default' does not belong after a section's name"},
        {"[Lexgion(Python:f)] : Python", "1:23 'Python' is not a domain's default section"},
        {"[Lexgion(Python:f)] :", "1:22 '' is not a domain's default section"},
        {"[Lexgion(Python:f)] : Lexgion.default", "1:23 'Lexgion' is not a domain"},
        {"[Lexgion(Python:f)] : Python.default : Python.default",
         "1:40 'Python.default' is not a section"},
        {"[Lexgion(Python:f)] : Python.default : Python.thread(*)",
         "1:54 '*' is not a number or a range"},
        {"[Lexgion(Python:f)] : Python.default : Python.thread(0) : x",
         "1:59 a section header has at most two lists after its name"},
        {"[Python.default] : OpenMP.default", "1:1 a domain's default section inherits nothing"},
    };
    for (const auto& [text, expected] : table) EXPECT_EQ(mistake(text), expected) << text;
}

TEST(Parser, MistakesInKeys) {
    const std::pair<const char*, const char*> table[] = {
        {"max_num_traces = 1", "1:1 this key stands before the first section header"},
        {"[Python.default]\nmax_num_traces = 1",
         "2:1 'max_num_traces' is not a key of this section"},
        {"[Python.default]\nOpenMP.team = (0)", "2:1 'OpenMP.team' is not a key of this section"},
        {"[Python.default]\nPython.thread = 0", "2:17 '0' is not a set"},
        {"[Python.default]\nPython.core = (0)",
         "2:8 'core' is not a unit of parallelism of Python"},
        {"[Python.default]\nomp_work = on",
         "2:1 'omp_work' is not an event of this section's domain"},
        {"[Python.default]\npysysmon_py_start = yes",
         "2:21 'yes' does not say whether the event is recorded"},
        {"[Python.default]\npysysmon_py_start",
         "2:1 'pysysmon_py_start' is neither a section header nor a key = value"},
        {"[Python.default]\ntrace_mode =", "2:1 'trace_mode' has no value"},
        {"[Python.default]\n= 1", "2:1 this line has no key before ="},
        {"[Python.thread(0)]\ntrace_mode = OFF", "2:1 'trace_mode' is not a key of this section"},
        {"[Lexgion.default]\ntrace_starts_at = -1",
         "2:19 '-1' is not a number that this key takes"},
        {"[Lexgion.default]\nmax_num_traces = 1.5",
         "2:18 '1.5' is not a number that this key takes"},
        {"[Lexgion.default]\nmax_num_traces = 99999999999999999999",
         "2:18 '99999999999999999999' is not a number that this key takes"},
        {"[Lexgion.default]\nwindow_timeout = -1", "2:18 '-1' is not a number of seconds"},
        {"[Lexgion.default]\nwindow_end_trigger = any", "2:22 'any' is not a trigger"},
        {"[Lexgion.default]\ntrace_mode_after = Python:GO", "2:27 'GO' is not a mode"},
        {"[REMOVE Lexgion(Python:f)]\nmax_num_traces = 1",
         "2:1 a section that is removed has no keys"},
    };
    for (const auto& [text, expected] : table) EXPECT_EQ(mistake(text), expected) << text;
}

TEST(Parser, TheNearestNameIsSuggested) {
    const auto hint = [](const char* text) { return parsed(text).diagnostics.at(0).hint; };
    EXPECT_EQ(hint("[Pyhton.default]"), "did you mean 'Python'?");
    EXPECT_EQ(hint("[Python.default]\npysysmon_py_strt = on"), "did you mean 'pysysmon_py_start'?");
    EXPECT_EQ(hint("[Lexgion.default]\nmax_num_trace = 1"), "did you mean 'max_num_traces'?");
    EXPECT_EQ(hint("[Python.default]\ntrace_mode = TRACNG"), "did you mean 'TRACING'?");
    EXPECT_EQ(hint("[Python.default]\nPython.thraed = (0)"), "did you mean 'thread'?");
}

TEST(Parser, AMistakenSectionChangesNothing) {
    const Parsed result = parsed("[Pyton.default]\ntrace_mode = OFF\n[Python.default]\n");
    ASSERT_EQ(result.edits.size(), 1u);
    EXPECT_FALSE(result.edits[0].keys.mode);
}

std::vector<std::string> warnings(const std::string& text) {
    const Parsed result = parsed(text);
    EXPECT_TRUE(result.diagnostics.empty());
    Configuration configuration;
    (void)apply_edits(result.edits, configuration);
    std::vector<std::string> all;
    for (const Diagnostic& each : check(result.edits, configuration)) {
        EXPECT_EQ(each.severity, Severity::warning);
        all.push_back(each.message);
    }
    return all;
}

TEST(Check, AnActionThatNeverHappens) {
    EXPECT_EQ(warnings("[Lexgion(Python:f)]\ntrace_mode_after = OFF\n").size(), 1u);
    EXPECT_EQ(warnings("[Lexgion(Python:f)]\nmax_num_traces = 0\ntrace_mode_after = OFF\n").size(),
              1u);
    EXPECT_TRUE(
        warnings("[Lexgion(Python:f)]\nmax_num_traces = 1\ntrace_mode_after = OFF\n").empty());
    EXPECT_TRUE(
        warnings("[Lexgion(Python:f)]\nwindow_timeout = 1\ntrace_mode_after = OFF\n").empty());
    EXPECT_TRUE(warnings("[Lexgion.default]\nmax_num_traces = 9\n"
                         "[Lexgion(Python:f)]\ntrace_mode_after = OFF\n")
                    .empty())
        << "the level below sets the limit";
}

TEST(Check, AnEventOfAnotherDomain) {
    const auto found = warnings("[Lexgion(Python:f)]\nomp_work = on\n");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0], "omp_work is an event of OpenMP: it has no effect in this section");
    EXPECT_TRUE(
        warnings("[Lexgion.default]\nomp_work = on\n[Lexgion(0x12)]\nomp_work = on\n").empty());
}

}  // namespace
}  // namespace spyglass::config

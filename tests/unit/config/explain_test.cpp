// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configured.h"

namespace spyglass::config {
namespace {

using testing::ContainsRegex;

const char* const text =
    "[Python.default]\n"
    "pysysmon_c_start = off\n"
    "[Lexgion(Python).default]\n"
    "max_num_traces = 50\n"
    "[Lexgion(Python:utils.log_debug)] : Python.default : Python.thread(1)\n"
    "tracing_rate = 3\n"
    "[Lexgion(Python:*.go)]\n"
    "max_num_traces = 9\n";

std::string explained(const std::string& name) {
    const auto result = explain(configured(text), name);
    return result ? *result : result.error().message();
}

TEST(Explain, EveryValueHasItsLine) {
    const std::string said = explained("utils.log_debug");
    EXPECT_THAT(said, ContainsRegex("section +.Lexgion.Python:utils.log_debug.. +trace.txt:5"));
    EXPECT_THAT(said, ContainsRegex("only on +Python.thread.1."));
    EXPECT_THAT(said, ContainsRegex("max_num_traces +50 +trace.txt:4 +.Lexgion.Python..default"));
    EXPECT_THAT(said, ContainsRegex("tracing_rate +3 +trace.txt:6"));
    EXPECT_THAT(said, ContainsRegex("trace_starts_at +0 +built-in default"));
    EXPECT_THAT(said, ContainsRegex("pysysmon_c_start +off +trace.txt:2"));
    EXPECT_THAT(said, ContainsRegex("pysysmon_c_return +on +built-in default"));
}

TEST(Explain, NamesAreReadAsInASection) {
    EXPECT_EQ(explained("Python:utils.log_debug"), explained("utils.log_debug"));
    EXPECT_THAT(explained("a.b.go"), ContainsRegex("section +.Lexgion.Python:..go.."));
    EXPECT_THAT(explained("other"), ContainsRegex("section +.Lexgion.Python..default. +trace"));
    EXPECT_THAT(explained("OpenMP:0x12"), ContainsRegex("omp_work +on"));
    EXPECT_EQ(explained("solver:f:g"), "'solver' is not a domain");
}

}  // namespace
}  // namespace spyglass::config

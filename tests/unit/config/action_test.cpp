// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/action.h"

#include <gtest/gtest.h>

namespace spyglass::config {
namespace {

constexpr auto python = schema::DomainId::python;

std::string read(const char* text, std::optional<schema::DomainId> domain = python) {
    const auto result = parse_action(text, domain);
    if (const auto* const mistake = std::get_if<ActionMistake>(&result))
        return "mistake at " + std::to_string(mistake->offset) + ": " + mistake->message;
    return text_of(std::get<Action>(result));
}

TEST(Action, AModeIsThatOfTheSectionsDomain) {
    EXPECT_EQ(read("MONITORING"), "Python:MONITORING");
    EXPECT_EQ(read("standby"), "Python:STANDBY");
    EXPECT_EQ(read("OFF", std::nullopt), "Python:OFF, OpenMP:OFF, CUDA:OFF");
}

TEST(Action, DomainsCanBeNamed) {
    EXPECT_EQ(read("Python:MONITORING, OpenMP:TRACING"), "Python:MONITORING, OpenMP:TRACING");
    EXPECT_EQ(read(" openmp : off ,python:Standby"), "Python:STANDBY, OpenMP:OFF");
}

TEST(Action, IntrospectHasTimeScriptAndResume) {
    EXPECT_EQ(read("INTROSPECT:60:analyze_python_traces.sh:TRACING"),
              "INTROSPECT:60:analyze_python_traces.sh:Python:TRACING");
    EXPECT_EQ(read("introspect:0.5:/opt/a b.sh"), "INTROSPECT:0.5:/opt/a b.sh:Python:MONITORING");
    EXPECT_EQ(read("INTROSPECT:-1:-:Python:TRACING, OpenMP:OFF", std::nullopt),
              "INTROSPECT:-1:-:Python:TRACING, OpenMP:OFF");
    EXPECT_EQ(read("INTROSPECT:0:x.sh", std::nullopt),
              "INTROSPECT:0:x.sh:Python:MONITORING, OpenMP:MONITORING, CUDA:MONITORING");
    const auto action = parse_action("INTROSPECT:5:-", python);
    EXPECT_EQ(std::get<Introspect>(std::get<Action>(action)).script, "");
}

TEST(Action, MistakesHaveTheirPlace) {
    EXPECT_EQ(read("MONITOR"), "mistake at 0: 'MONITOR' is not a mode");
    EXPECT_EQ(read("Python:ON"), "mistake at 7: 'ON' is not a mode");
    EXPECT_EQ(read("Python:OFF, Ruby:OFF"), "mistake at 12: 'Ruby:OFF' is not DOMAIN:MODE");
    EXPECT_EQ(read("Python:OFF, OFF"), "mistake at 12: 'OFF' is not DOMAIN:MODE");
    EXPECT_EQ(read("INTROSPECT"), "mistake at 0: INTROSPECT needs a time and a script");
    EXPECT_EQ(read("INTROSPECT:5"), "mistake at 0: INTROSPECT needs a time and a script");
    EXPECT_EQ(read("INTROSPECT:-2:x"), "mistake at 11: '-2' is not a time to wait");
    EXPECT_EQ(read("INTROSPECT:nan:x"), "mistake at 11: 'nan' is not a time to wait");
    EXPECT_EQ(read("INTROSPECT:5:"), "mistake at 13: INTROSPECT names no script");
    EXPECT_EQ(read("INTROSPECT:5:x:NOW"), "mistake at 15: 'NOW' is not a mode");
    EXPECT_EQ(read(""), "mistake at 0: '' is not a mode");
}

}  // namespace
}  // namespace spyglass::config

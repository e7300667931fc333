// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/environment.h"

#include <gtest/gtest.h>

#include <csignal>
#include <map>

#include "configured.h"

namespace spyglass::config {
namespace {

using Variables = std::map<std::string, std::string>;

Environment read(const Variables& variables) {
    return read_environment([&](const char* name) -> const char* {
        const auto at = variables.find(name);
        return at == variables.end() ? nullptr : at->second.c_str();
    });
}

Configuration configured_by(const Variables& variables, const std::string& file = "") {
    const Environment environment = read(variables);
    EXPECT_TRUE(environment.mistakes.empty());
    Configuration result = configured(file);
    (void)apply_edits(environment.edits, result);
    return result;
}

TEST(Environment, NothingIsSet) {
    const Environment environment = read({});
    EXPECT_TRUE(environment.edits.empty() && environment.mistakes.empty());
    EXPECT_EQ(environment.sink, Sink::automatic);
    EXPECT_EQ(environment.reload_signal, SIGUSR1);
    EXPECT_FALSE(environment.debug);
}

TEST(Environment, ModesInAllTheirSpellings) {
    const std::pair<const char*, Mode> words[] = {{"OFF", Mode::off},
                                                  {"false", Mode::off},
                                                  {"0", Mode::off},
                                                  {"Standby", Mode::standby},
                                                  {"MONITORING", Mode::monitoring},
                                                  {"monitor", Mode::monitoring},
                                                  {"TRACING", Mode::tracing},
                                                  {"on", Mode::tracing},
                                                  {"True", Mode::tracing},
                                                  {"1", Mode::tracing}};
    for (const auto& [word, mode] : words) {
        const Configuration result = configured_by({{"PINSIGHT_TRACE_PYTHON", word}},
                                                   "[Python.default]\ntrace_mode = STANDBY\n");
        EXPECT_EQ(result.mode(schema::DomainId::python), mode) << word;
        EXPECT_EQ(result.mode(schema::DomainId::openmp), Mode::tracing);
    }
}

TEST(Environment, RateMirrorsTheLexgionDefault) {
    const auto settings = [](const char* rate, const std::string& file = "") {
        return resolve(configured_by({{"PINSIGHT_TRACE_RATE", rate}}, file), function("f"));
    };
    EXPECT_EQ(settings("10:100:50").rate(), (RateLimit{10, 100, 50}));
    EXPECT_EQ(settings("0:-1:1").rate(), (RateLimit{0, -1, 1}));
    const FunctionSettings with_action = settings("0:100:1:Python:MONITORING");
    ASSERT_TRUE(with_action.trace_mode_after.value);
    EXPECT_EQ(text_of(*with_action.trace_mode_after.value), "Python:MONITORING");
    EXPECT_EQ(with_action.trace_mode_after.origin.text(), "PINSIGHT_TRACE_RATE");
    EXPECT_EQ(text_of(*settings("0:5:1:INTROSPECT:60:a.sh:TRACING").trace_mode_after.value),
              "INTROSPECT:60:a.sh:Python:TRACING, OpenMP:TRACING, CUDA:TRACING");
    EXPECT_EQ(settings("1:2:3", "[Lexgion.default]\nmax_num_traces = 9\n").max_num_traces.value, 2)
        << "over the file's section of the same name";
    EXPECT_EQ(
        settings("1:2:3", "[Lexgion(Python).default]\nmax_num_traces = 9\n").max_num_traces.value,
        9)
        << "which is the lowest level";
}

TEST(Environment, AWindowHasATimeLimit) {
    const FunctionSettings settings =
        resolve(configured_by({{"PINSIGHT_TRACE_WINDOW", "0:-1:1:2.5:STANDBY"}}), function("f"));
    EXPECT_EQ(settings.window_timeout.value, 2.5);
    EXPECT_EQ(text_of(*settings.trace_mode_after.value),
              "Python:STANDBY, OpenMP:STANDBY, CUDA:STANDBY");
}

TEST(Environment, TheRest) {
    const Environment environment = read({{"PINSIGHT_TRACE_CONFIG_FILE", "/a b.txt"},
                                          {"PINSIGHT_TRACE_DIR", "/tmp/t"},
                                          {"PINSIGHT_SINK", "LTTNG"},
                                          {"PINSIGHT_DEBUG_ENABLE", "1"},
                                          {"PINSIGHT_RELOAD_SIGNAL", "SIGUSR2"}});
    EXPECT_EQ(environment.file, "/a b.txt");
    EXPECT_EQ(environment.directory, "/tmp/t");
    EXPECT_EQ(environment.sink, Sink::lttng);
    EXPECT_TRUE(environment.debug);
    EXPECT_EQ(environment.reload_signal, SIGUSR2);
    EXPECT_EQ(read({{"PINSIGHT_RELOAD_SIGNAL", "none"}}).reload_signal, 0);
    EXPECT_EQ(read({{"PINSIGHT_RELOAD_SIGNAL", "34"}}).reload_signal, 34);
}

TEST(Environment, AMistakeNamesVariableValueAndWhatIsAllowed) {
    const std::pair<const char*, const char*> wrong[] = {
        {"PINSIGHT_TRACE_PYTHON", "MAYBE"},  {"PINSIGHT_TRACE_OPENMP", "2"},
        {"PINSIGHT_TRACE_CUDA", "YES"},      {"PINSIGHT_TRACE_RATE", "10:100"},
        {"PINSIGHT_TRACE_RATE", "10:100:0"}, {"PINSIGHT_TRACE_RATE", "-1:100:1"},
        {"PINSIGHT_TRACE_RATE", "0:-2:1"},   {"PINSIGHT_TRACE_RATE", "a:b:c"},
        {"PINSIGHT_TRACE_RATE", "0:1:1:"},   {"PINSIGHT_TRACE_RATE", "0:1:1:LATER"},
        {"PINSIGHT_TRACE_WINDOW", "0:1:1"},  {"PINSIGHT_TRACE_WINDOW", "0:1:1:soon"},
        {"PINSIGHT_SINK", "disk"},           {"PINSIGHT_DEBUG_ENABLE", "loud"},
        {"PINSIGHT_RELOAD_SIGNAL", "KILL"},  {"PINSIGHT_RELOAD_SIGNAL", "9"},
        {"PINSIGHT_RELOAD_SIGNAL", "99"},
    };
    for (const auto& [variable, value] : wrong) {
        const Environment environment = read({{variable, value}});
        ASSERT_EQ(environment.mistakes.size(), 1u) << variable << '=' << value;
        const std::string& said = environment.mistakes[0];
        EXPECT_EQ(said.find(std::string(variable) + " is '" + value + "'; allowed: "), 0u) << said;
        EXPECT_TRUE(environment.edits.empty());
    }
}

}  // namespace
}  // namespace spyglass::config

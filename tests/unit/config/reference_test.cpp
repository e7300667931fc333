// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every block that the interface's document shows, verbatim, does what its comments say.
#include <gtest/gtest.h>

#include "config/check.h"
#include "configured.h"

namespace spyglass::config {
namespace {

constexpr auto python = schema::DomainId::python;

// No mistake, and no warning either.
Configuration reference(const std::string& text) {
    const Configuration configuration = configured(text);
    for (const Diagnostic& each : check(parsed(text).edits, configuration))
        ADD_FAILURE() << each.location.line << ": " << each.message;
    return configuration;
}

std::string action(const FunctionSettings& settings) {
    return settings.trace_mode_after.value ? text_of(*settings.trace_mode_after.value) : "none";
}

TEST(Reference, DomainModeAndScope) {
    const Configuration traced = reference(R"(
[Python.default]
    trace_mode = TRACING
    Python.thread = (0-3)     # only trace Python threads 0, 1, 2, 3
)");
    EXPECT_EQ(traced.mode(python), Mode::tracing);
    EXPECT_EQ(events_on(traced, function("f"), 3), built_in);
    EXPECT_EQ(events_on(traced, function("f"), 4), 0u);
    EXPECT_EQ(reference("[Python.default]\n    trace_mode = OFF\n").mode(python), Mode::off);
    EXPECT_EQ(reference("[Python.default]\n    trace_mode = STANDBY\n").mode(python),
              Mode::standby);
}

TEST(Reference, DefaultEvents) {
    EXPECT_EQ(events_on(reference(R"(
[Python.default]
    pysysmon_py_start  = on    # Python function entry (default: on)
    pysysmon_py_return = on    # Python function exit  (default: on)
    pysysmon_c_start   = off   # C extension call begin (turn off to reduce volume)
    pysysmon_c_return  = off   # C extension call end
    pysysmon_import    = off   # module import (reserved, default: off)
)"),
                        function("f"), 0),
              start | ret);
    EXPECT_EQ(events_on(reference(R"(
[Python.default]
    pysysmon_c_start  = off
    pysysmon_c_return = off
)"),
                        function("f"), 0),
              start | ret);
    EXPECT_EQ(events_on(reference(R"(
[Python.default]
    pysysmon_py_start  = off
    pysysmon_py_return = off
    pysysmon_c_start   = on
    pysysmon_c_return  = on
)"),
                        function("f"), 0),
              c_start | c_return);
}

TEST(Reference, PerThread) {
    const Configuration two = reference("[Python.thread(0-1)]: Python.default\n");
    EXPECT_EQ(events_on(two, function("f"), 1), built_in);
    EXPECT_EQ(events_on(two, function("f"), 2), 0u);
    const Configuration workers = reference("[Python.thread(1-255)]: Python.default\n");
    EXPECT_EQ(events_on(workers, function("f"), 0), 0u);
    EXPECT_EQ(events_on(workers, function("f"), 255), built_in);
    const Configuration removed = configured("[REMOVE Python.thread(0-1)]\n", two);
    EXPECT_EQ(events_on(removed, function("f"), 2), built_in);
}

TEST(Reference, DefaultRate) {
    const Configuration sampled = reference(R"(
[Lexgion(Python).default]
    trace_starts_at = 0
    max_num_traces  = 200
    tracing_rate    = 10
    pysysmon_py_start  = on
    pysysmon_py_return = on
    pysysmon_c_start   = off
    pysysmon_c_return  = off
)");
    EXPECT_EQ(resolve(sampled, function("f")).rate(), (RateLimit{0, 200, 10}));
    EXPECT_EQ(events_on(sampled, function("f"), 0), start | ret);
    const Configuration warm = reference(R"(
[Lexgion(Python).default]
    trace_starts_at = 50
    max_num_traces  = 100
    tracing_rate    = 1
)");
    EXPECT_EQ(resolve(warm, function("f")).rate(), (RateLimit{50, 100, 1}));
}

TEST(Reference, ModeSwitches) {
    EXPECT_EQ(action(resolve(reference(R"(
[Lexgion(Python).default]
    max_num_traces  = 100
    tracing_rate    = 1
    trace_mode_after = MONITORING
)"),
                             function("f"))),
              "Python:MONITORING");
    EXPECT_EQ(action(resolve(reference(R"(
[Lexgion(Python).default]
    max_num_traces   = 200
    trace_mode_after = Python:MONITORING, OpenMP:TRACING
)"),
                             function("f"))),
              "Python:MONITORING, OpenMP:TRACING");
    EXPECT_EQ(action(resolve(reference(R"(
[Lexgion(Python).default]
    max_num_traces   = 50
    tracing_rate     = 1
    trace_mode_after = INTROSPECT:60:analyze_python_traces.sh:TRACING
)"),
                             function("f"))),
              "INTROSPECT:60:analyze_python_traces.sh:Python:TRACING");
}

TEST(Reference, ReloadWhileRunning) {
    Configuration running = configured("[Python.default]\ntrace_mode = TRACING\n");
    const Applied applied = apply_edits(parsed(R"(
[Python.default]
    trace_mode = STANDBY

[Lexgion(Python).default]
    max_num_traces = 500
    tracing_rate   = 20
)")
                                            .edits,
                                        running);
    EXPECT_EQ(applied.modes[0], Mode::standby);
    EXPECT_EQ(resolve(running, function("f")).rate(), (RateLimit{0, 500, 20}));
}

TEST(Reference, CombinedDomains) {
    const Configuration mixed = reference(R"(
[Python.default]
    trace_mode    = TRACING
    Python.thread = (0)         # main thread only

[OpenMP.default]
    trace_mode       = TRACING
    OpenMP.thread    = (0-15)

[Python.default]
    pysysmon_py_start  = on
    pysysmon_py_return = on
    pysysmon_c_start   = off    # skip C bridges to reduce volume
    pysysmon_c_return  = off

[Lexgion(Python).default]: Python.default
    trace_starts_at = 0
    max_num_traces  = 100
    tracing_rate    = 5
    trace_mode_after = Python:MONITORING

[Lexgion(OpenMP).default]: OpenMP.default
    max_num_traces  = 200
    tracing_rate    = 1
)");
    EXPECT_EQ(resolve(mixed, function("f")).rate(), (RateLimit{0, 100, 5}));
    EXPECT_EQ(action(resolve(mixed, function("f"))), "Python:MONITORING");
    EXPECT_EQ(events_on(mixed, function("f"), 0), start | ret);
    EXPECT_EQ(events_on(mixed, function("f"), 1), 0u);
    FunctionName region;
    region.domain = schema::DomainId::openmp;
    EXPECT_EQ(resolve(mixed, region).rate(), (RateLimit{0, 200, 1}));
    const auto on_openmp = [](uint32_t number) {
        return [number](schema::DomainId, unsigned) { return std::optional<uint32_t>(number); };
    };
    EXPECT_TRUE(resolve_thread(mixed, schema::DomainId::openmp, on_openmp(15)).in_scope);
    EXPECT_FALSE(resolve_thread(mixed, schema::DomainId::openmp, on_openmp(16)).in_scope);
}

TEST(Reference, NamedSections) {
    const Configuration named = reference(R"(
# Single function by qualified name
[Lexgion(Python:main)]
    max_num_traces = 200
    tracing_rate   = 1

# Nested function / method
[Lexgion(Python:MyClass.compute)]
    max_num_traces = 50
    tracing_rate   = 1

# Inner function (closure)
[Lexgion(Python:main.<locals>.do_work)]
    max_num_traces = 100
    tracing_rate   = 5

# Multiple functions sharing the same settings
[Lexgion(Python:solver.compute, Python:solver.setup)]
    max_num_traces = 200
    tracing_rate   = 1

# Disambiguate by filename stem (when same qualname appears in multiple files)
[Lexgion(Python:solver.py:MyClass.compute)]
    max_num_traces = 51
)");
    const auto rate = [&](const FunctionName& name) { return resolve(named, name).rate(); };
    EXPECT_EQ(rate(function("main")), (RateLimit{0, 200, 1}));
    EXPECT_EQ(rate(function("MyClass.compute", "m", "other.py")), (RateLimit{0, 50, 1}));
    EXPECT_EQ(rate(function("MyClass.compute", "solver", "solver.py")), (RateLimit{0, 51, 1}));
    EXPECT_EQ(rate(function("main.<locals>.do_work")), (RateLimit{0, 100, 5}));
    EXPECT_EQ(rate(function("compute", "solver", "solver.py")), (RateLimit{0, 200, 1}));
    EXPECT_EQ(rate(function("setup", "solver", "solver.py")), (RateLimit{0, 200, 1}));
    EXPECT_EQ(rate(function("setup")), (RateLimit{0, -1, 1}));
}

TEST(Reference, NamedSectionsWithInheritance) {
    const Configuration named = reference(R"(
# Rate limit the hot solver function
[Lexgion(Python:solver.compute)]: Python.default
    trace_starts_at  = 0
    max_num_traces   = 50
    tracing_rate     = 1
    trace_mode_after = Python:MONITORING

# Stop tracing a noisy utility function entirely
[Lexgion(Python:utils.log_debug)]: Python.default
    max_num_traces = 0
)");
    EXPECT_EQ(action(resolve(named, function("compute", "solver"))), "Python:MONITORING");
    EXPECT_EQ(resolve(named, function("log_debug", "utils")).max_num_traces.value, 0);
}

TEST(Reference, FullNamedConfiguration) {
    const Configuration full = reference(R"(
# ── Domain event defaults ────────────────────────────────────────────────
[Python.default]
    pysysmon_py_start  = on
    pysysmon_py_return = on
    pysysmon_c_start   = off   # disable C bridge by default
    pysysmon_c_return  = off

# ── Lexgion defaults ─────────────────────────────────────────────────────
[Lexgion(Python).default]: Python.default
    trace_starts_at = 0
    max_num_traces  = 50
    tracing_rate    = 1
    trace_mode_after = Python:MONITORING

# ── Named function overrides ─────────────────────────────────────────────

# Hot solver — full C bridge tracing, high rate limit
[Lexgion(Python:Solver.run)]: Python.default
    pysysmon_c_start  = on
    pysysmon_c_return = on
    max_num_traces    = 200
    tracing_rate      = 1

# Initialization — trace only once
[Lexgion(Python:Solver.setup)]: Python.default
    max_num_traces = 1

# Two functions with same settings, disambiguated by filename
[Lexgion(Python:solver_a.py:compute, Python:solver_b.py:compute)]: Python.default
    max_num_traces = 100
    tracing_rate   = 5
)");
    EXPECT_EQ(events_on(full, function("Solver.run"), 0), built_in);
    EXPECT_EQ(events_on(full, function("Solver.setup"), 0), start | ret);
    EXPECT_EQ(resolve(full, function("Solver.run")).rate(), (RateLimit{0, 200, 1}));
    EXPECT_EQ(resolve(full, function("Solver.setup")).max_num_traces.value, 1);
    EXPECT_EQ(action(resolve(full, function("Solver.setup"))), "Python:MONITORING");
    EXPECT_EQ(resolve(full, function("compute", "b", "solver_b.py")).rate(),
              (RateLimit{0, 100, 5}));
    EXPECT_EQ(resolve(full, function("compute", "c", "solver_c.py")).rate(), (RateLimit{0, 50, 1}));
}

// What applies to functions that no section names must not reach those of max_num_traces = 0.
TEST(Reference, ASilencedHelperStaysSilent) {
    const Configuration silenced = configured(R"(
[Lexgion(Python).default]: Python.default
    max_num_traces  = 50
    trace_mode_after = Python:MONITORING
[Lexgion(Python:utils.log_debug)]: Python.default
    max_num_traces = 0
)");
    EXPECT_EQ(resolve(silenced, function("log_debug", "utils")).rate(), (RateLimit{0, 0, 1}));
}

TEST(Reference, ThreadFilters) {
    const Configuration filtered = reference(R"(
# Suppress all Python tracing by default, then selectively enable:
[Lexgion(Python).default]
    max_num_traces = 0

# Trace "worker" function only on threads 1 and 2 (max 8 traces each)
[Lexgion(Python:worker)] : Python.default : Python.thread(1-2)
    max_num_traces = 8

# Trace "main_work" function only on the main thread (thread 0)
[Lexgion(Python:main_work)] : Python.default : Python.thread(0)
    max_num_traces = 5
)");
    EXPECT_EQ(resolve(filtered, function("other")).max_num_traces.value, 0);
    EXPECT_EQ(resolve(filtered, function("worker")).max_num_traces.value, 8);
    for (uint32_t thread = 0; thread < 4; ++thread) {
        const bool worker = thread == 1 || thread == 2;
        EXPECT_EQ(events_on(filtered, function("worker"), thread), worker ? built_in : 0u);
        EXPECT_EQ(events_on(filtered, function("main_work"), thread), thread == 0 ? built_in : 0u);
    }
}

TEST(Reference, EverythingComposes) {
    const Configuration composed = reference(R"(
[Lexgion(Python).default]
    max_num_traces = 0      # suppress all functions by default

# Worker traced only on threads 1-2, max 7 each, auto-drop after
[Lexgion(Python:worker)] : Python.default : Python.thread(1-2)
    max_num_traces   = 7
    trace_mode_after = Python:MONITORING

# Main thread work, limit 5 traces, then INTROSPECT
[Lexgion(Python:main_work)] : Python.default : Python.thread(0)
    max_num_traces   = 5
    trace_mode_after = INTROSPECT:30:analyze.sh:TRACING
)");
    EXPECT_EQ(action(resolve(composed, function("worker"))), "Python:MONITORING");
    EXPECT_EQ(action(resolve(composed, function("main_work"))),
              "INTROSPECT:30:analyze.sh:Python:TRACING");
    EXPECT_EQ(events_on(composed, function("main_work"), 1), 0u);
}

}  // namespace
}  // namespace spyglass::config

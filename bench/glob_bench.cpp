// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The matcher runs once for each new code object and clause; a plain comparison stands beside it.
#include <benchmark/benchmark.h>

#include <string>

#include "base/glob.h"

namespace {

const std::string name = "package.subpackage.module.ClassName.method_name";

void compare_text(benchmark::State& state) {
    const std::string other = name.substr(0, name.size() - 1) + "x";
    for (auto _ : state) benchmark::DoNotOptimize(name == other);
}
BENCHMARK(compare_text);

void match(benchmark::State& state, const std::string& pattern) {
    for (auto _ : state) benchmark::DoNotOptimize(spyglass::glob_matches(pattern, name));
}
BENCHMARK_CAPTURE(match, literal, name);
BENCHMARK_CAPTURE(match, one_star, "package.*");
BENCHMARK_CAPTURE(match, many_stars, "*a*a*a*a*e*");
BENCHMARK_CAPTURE(match, nothing, "other.*");

}  // namespace

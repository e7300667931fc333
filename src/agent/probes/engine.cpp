// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/engine.h"

#include <unistd.h>

#include "agent/probes/compile.h"
#include "agent/probes/embedded_python.h"
#include "agent/probes/fire.h"
#include "agent/probes/names/table.h"
#include "agent/probes/state.h"
#include "agent/probes/watchdog.h"
#include "agent/python/source.h"

namespace spyglass::agent::probes {

using python::api;

constinit Program* installed_program = nullptr;

namespace {

constinit Program*& program = installed_program;
uint32_t last_generation = 0;

std::string working_directory() {
    char buffer[4096];
    return getcwd(buffer, sizeof buffer) ? buffer : "";  // a deleted directory has no name
}

bool has_site(const plan::Clause& clause, plan::SiteKind kind) {
    for (const plan::Site& site : clause.sites) {
        if (site.kind == kind) return true;
    }
    return false;
}

std::optional<InstallFailure> compile_clauses() {
    const Tables tables{program->table.get(), program->plain_table.get()};
    for (uint32_t i = 0; i < program->plan.clauses.size(); ++i) {
        const plan::Clause& source = program->plan.clauses[i];
        Clause& clause = program->clauses[i];
        clause.source = &source;
        clause.index = i;
        const auto compiled = [&](Compiled result, Ref& function) {
            function = std::move(result.function);
            if (result.failure) result.failure->clause = i;
            return result.failure;
        };
        if (!source.predicate.empty()) {
            if (auto failure =
                    compiled(compile_predicate(source.predicate, tables), clause.predicate)) {
                return failure;
            }
        }
        if (auto failure = compiled(compile_action(source.action, tables), clause.action))
            return failure;
    }
    return std::nullopt;
}

bool uses_elapsed() {
    for (const Clause& clause : program->clauses) {
        for (const Ref* function : {&clause.predicate, &clause.action}) {
            if (*function && mentions(function->get(), "elapsed")) return true;
        }
    }
    return false;
}

// False: the program was removed meanwhile.
bool run_all(plan::SiteKind kind) {
    const OwnThreadActions own_thread;
    for (size_t i = 0; i < program->clauses.size(); ++i) {
        Clause& clause = program->clauses[i];
        if (!has_site(*clause.source, kind)) continue;
        ++clause.sites;
        if (run_clause(clause, nullptr) == Ran::removed) return false;
    }
    return true;
}

InstallFailure general_failure(std::string text) {
    InstallFailure failure;
    failure.text = std::move(text);
    return failure;
}

std::optional<InstallFailure> set_up() {
    if (!make_table(*program)) {
        api.PyErr_Clear();
        return general_failure("the target has no memory for the probes");
    }
    return compile_clauses();
}

std::optional<InstallFailure> arm_probes() {
    program->matcher = Matcher(program->plan, working_directory());
    python::Arming arming;
    arming.events = program->matcher.events();
    arming.track_executions = uses_elapsed();
    arming.observer = &probe_observer();
    if (arming.events == 0) return std::nullopt;
    if (auto done = python::arm(arming); !done) return general_failure(done.error().message());
    program->armed = true;
    return std::nullopt;
}

// Frees everything but first makes it unreachable: freeing may run code of the program.
void drop() {
    Program* const old = program;
    program = nullptr;
    delete old;
}

}  // namespace

std::optional<InstallFailure> install(const plan::Program& source, const EngineOptions& options) {
    program = new Program;
    program->plan = source;
    program->options = options;
    program->generation = ++last_generation;
    program->clauses.resize(source.clauses.size());
    program->arena = aggregate::Arena(options.arena);
    program->wait_left_ns = 100'000'000;
    auto failure = set_up();
    if (!failure) {
        // BEGIN runs before any other probe is live.
        if (!run_all(plan::SiteKind::begin)) return std::nullopt;
        program->ended_by_begin = program->exit_requested;
        if (!program->ended_by_begin) failure = arm_probes();
    }
    if (failure) drop();
    return failure;
}

bool ended_by_begin() {
    return program && program->ended_by_begin;
}

std::vector<ClauseTotals> remove(bool run_end) {
    if (!program) return {};
    if (program->armed) python::disarm();
    program->armed = false;
    if (run_end) {
        program->exit_requested = false;
        if (!run_all(plan::SiteKind::end)) return {};
    }
    std::vector<ClauseTotals> totals;
    for (const Clause& clause : program->clauses) {
        totals.push_back(
            {clause.hits, clause.sites, clause.errors, clause.skipped, clause.nearest_name});
    }
    drop();
    return totals;
}

void abandon_after_fork() {
    // The objects belong to the parent's session; without the GIL they cannot be freed here.
    program = nullptr;
    forget_actions_of_other_threads();
}

}  // namespace spyglass::agent::probes

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/fire.h"

#include "agent/guest/recursion_guard.h"
#include "agent/probes/report.h"
#include "agent/probes/signal_exception.h"
#include "agent/probes/watchdog.h"
#include "base/diagnostic.h"

namespace spyglass::agent::probes {

using python::api;

thread_local constinit Here here;

namespace {

bool resembles(const std::string& pattern, const std::string& seen) {
    // Cheap bound first: most names are nothing like it.
    constexpr size_t tolerated = 4;
    return seen.size() <= pattern.size() + tolerated && pattern.size() <= seen.size() + tolerated &&
           !nearest_names(pattern, {seen}, 1).empty();
}

// The closest name that was seen, for clauses that have matched nothing so far.
void note_nearest(Program& program, const python::Names& names) {
    for (Clause& clause : program.clauses) {
        if (clause.sites != 0 || !clause.nearest_name.empty()) continue;
        for (const plan::Site& site : clause.source->sites) {
            const bool is_line = site.kind == plan::SiteKind::line;
            const bool is_function =
                site.kind >= plan::SiteKind::func_start && site.kind <= plan::SiteKind::func_unwind;
            if ((!is_line && !is_function) || site.pattern == "*") continue;
            const std::string& seen = is_function ? names.qpath : names.filename;
            // In the main script the bare name would have matched too.
            const bool bare = is_function && names.module == "__main__";
            if (resembles(site.pattern, seen) || (bare && resembles(site.pattern, names.qualname)))
                clause.nearest_name = seen;
        }
    }
}

void count_sites(Program& program, const RegionPlan& plan) {
    for (const auto& clauses : plan.by_event) {
        for (const uint32_t clause : clauses) ++program.clauses[clause].sites;
    }
    for (const LineRange& range : plan.lines) ++program.clauses[range.clause].sites;
}

EventMask decide(const Occurrence& occurrence) {
    Program* const program = current();
    if (!program) return 0;
    const python::Moment& moment = python::moment_of(occurrence);
    const python::Names& names = python::names_of(moment);
    auto* plan = new RegionPlan;
    const EventMask events = program->matcher.match(names, *plan);
    if (events == 0) {
        delete plan;
        plan = nullptr;
    }
    if (plan) count_sites(*program, *plan);
    note_nearest(*program, names);
    occurrence.region->data = plan;
    return events;
}

bool decide_line(const Occurrence& occurrence) {
    const auto* const plan = static_cast<const RegionPlan*>(occurrence.region->data);
    if (!plan) return false;
    for (const LineRange& range : plan->lines) {
        if (occurrence.line >= range.first && occurrence.line <= range.last) return true;
    }
    return false;
}

Ran run_line_clauses(Program& program, const RegionPlan& plan, const python::Moment& moment) {
    uint32_t fired = ~0u;
    for (size_t i = 0; i < plan.lines.size(); ++i) {
        const LineRange range = plan.lines[i];
        if (moment.line < range.first || moment.line > range.last) continue;
        if (range.clause == fired) continue;  // two specs of one clause: neighbours here
        fired = range.clause;
        const Ran ran = run_clause(program.clauses[range.clause], &moment);
        if (ran != Ran::on) return ran;
    }
    return Ran::on;
}

bool hear(const Occurrence& occurrence) {
    Program* const program = current();
    if (!program || program->exit_requested) return true;
    const auto* const plan = static_cast<const RegionPlan*>(occurrence.region->data);
    if (!plan) return true;
    const python::Moment& moment = python::moment_of(occurrence);
    if (occurrence.event == RegionEvent::line)
        return run_line_clauses(*program, *plan, moment) != Ran::interrupted;
    const auto& clauses = plan->by_event[static_cast<unsigned>(occurrence.event)];
    for (size_t i = 0; i < clauses.size(); ++i) {
        const Ran ran = run_clause(program->clauses[clauses[i]], &moment);
        if (ran != Ran::on) return ran != Ran::interrupted;
    }
    return true;
}

void forget(Region& region) {
    delete static_cast<RegionPlan*>(region.data);
    region.data = nullptr;
}

PyObject* call_once(PyObject* function) {
    if (api.PyObject_Vectorcall) return api.PyObject_Vectorcall(function, nullptr, 0, nullptr);
    return api.PyObject_CallObject(function, nullptr);
}

// No frame of the action has run yet: its call itself found the program's stack full.
bool had_no_room() {
    if (!api.PyErr_ExceptionMatches(api.PyExc_RecursionError)) return false;
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    api.PyErr_Fetch(&type, &value, &traceback);
    const bool began = traceback != nullptr;
    api.PyErr_Restore(type, value, traceback);
    return !began;
}

// A program at its recursion limit is when probes are wanted most: the action gets room of its own.
PyObject* call(PyObject* function) {
    const Ref kept = Ref::borrow(function);  // the program that owns it may be removed meanwhile
    PyObject* const result = call_once(function);
    if (result || !had_no_room()) return result;
    constexpr int room_for_actions = 100;
    api.PyErr_Clear();
    const int limit = api.Py_GetRecursionLimit();
    api.Py_SetRecursionLimit(limit + room_for_actions);
    PyObject* const second = call_once(function);
    api.Py_SetRecursionLimit(limit);
    return second;
}

// What an action is surrounded by on its thread; undone however it ends.
class Firing {
  public:
    Firing(const python::Moment* moment, uint32_t clause) : here_(here), before_(here_) {
        here_ = {moment, clause};
    }
    ~Firing() { here_ = before_; }
    Firing(const Firing&) = delete;
    Firing& operator=(const Firing&) = delete;
    bool was_interrupted() const { return action_.interrupted(); }

  private:
    ActionScope scope_;
    RunningAction action_;
    Here& here_;
    Here before_;
};

Ran still_on(uint32_t generation) {
    return is_current(generation) ? Ran::on : Ran::removed;
}

// The current exception, normalised; it is set again if a signal handler of the program raised it.
bool is_the_programs() {
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    api.PyErr_Fetch(&type, &value, &traceback);
    api.PyErr_NormalizeException(&type, &value, &traceback);
    const bool is_its = raised_by_signal_handler(value, traceback);
    api.PyErr_Restore(type, value, traceback);
    return is_its;
}

Ran handle_exception(uint32_t generation, Clause& clause, const python::Moment* moment,
                     bool interrupted, bool counted_as_hit) {
    if (moment && !interrupted && is_the_programs()) return Ran::interrupted;
    if (!is_current(generation)) {
        api.PyErr_Clear();
        return Ran::removed;
    }
    if (api.PyErr_ExceptionMatches(skip_firing_exception())) {
        api.PyErr_Clear();
        ++clause.skipped;
        if (counted_as_hit) --clause.hits;
        return Ran::on;
    }
    report_exception(*current(), clause, interrupted);  // may run str() of the program's objects
    return still_on(generation);
}

}  // namespace

const Observer& probe_observer() {
    static constexpr Observer observer{decide, decide_line, hear, forget};
    return observer;
}

Ran run_clause(Clause& clause, const python::Moment* moment) {
    if (!clause.predicate && !clause.action) {
        ++clause.hits;
        return Ran::on;
    }
    const uint32_t generation = current()->generation;
    const Firing firing(moment, clause.index);
    if (clause.predicate) {
        const Ref verdict = Ref::steal(call(clause.predicate.get()));
        const int holds = verdict ? api.PyObject_IsTrue(verdict.get()) : -1;
        if (holds < 0)
            return handle_exception(generation, clause, moment, firing.was_interrupted(), false);
        if (!is_current(generation)) return Ran::removed;
        if (holds == 0) return Ran::on;
    }
    ++clause.hits;
    if (!clause.action) return Ran::on;
    PyObject* const result = call(clause.action.get());
    if (!result)
        return handle_exception(generation, clause, moment, firing.was_interrupted(), true);
    api.Py_DecRef(result);
    return still_on(generation);
}

}  // namespace spyglass::agent::probes

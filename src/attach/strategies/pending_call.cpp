// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A thread that runs bytecode is made to call Py_AddPendingCall(loader's start, block); the
// interpreter then calls it at its next safepoint on the main thread, also in a loop that calls
// nothing (Py_AddPendingCall: Doc/c-api/init.rst; it needs neither the GIL nor a thread state).
// A thread that makes one short system call after the other is hardly ever seen in bytecode: it is
// stopped as a call comes back, and makes the loader's thread there.
#include "attach/debug_offsets.h"
#include "attach/proc_file.h"
#include "attach/safe_point.h"
#include "attach/strategy.h"

#include <algorithm>
#include <optional>
#include <string>

namespace spyglass::attach {

namespace {

constexpr int looks_per_thread = 8;

// In 3.8, Py_AddPendingCall prints an error once the main thread has begun to end the interpreter;
// that cannot happen while the main thread is the one that we hold.
bool only_the_main_thread(const Runtime& runtime) {
    return (runtime.version_hex >> 16) == 0x0308;
}

struct Route {
    uint64_t add_pending_call;  // 0: the thread itself makes the loader's thread
    std::string what;
};

// Where this thread was stopped, may it go into the interpreter's queue, or make a thread?
std::optional<Route> route_of(const StoppedThread& thread, const Situation& situation,
                              uint64_t add_pending_call) {
    const arch::Registers& registers = thread.registers();
    if (const auto call = returning_call(registers)) {
        if (!why_not_borrow_waiting(*call, situation.map).empty()) return std::nullopt;
        return Route{0, " returns from " + call_name(call->number)};
    }
    if (arch::interrupted_call(registers)) return std::nullopt;
    if (!in_interpreter_text(arch::program_counter(registers), situation.interpreter.image))
        return std::nullopt;
    return Route{add_pending_call, " runs bytecode"};
}

}  // namespace

Outcome enter_by_pending_call(Situation& situation) {
    Outcome outcome;
    const auto add_pending_call = situation.interpreter.image.symbol("Py_AddPendingCall");
    if (!add_pending_call) {
        outcome.hopeless = true;
        outcome.reason = "the interpreter does not export Py_AddPendingCall";
        return outcome;
    }
    auto threads = threads_of(situation.pid);
    if (!threads) {
        outcome.reason = threads.error().message();
        return outcome;
    }
    const Runtime& runtime = situation.interpreter.runtime;
    outcome.reason = "no thread runs bytecode";
    for (const pid_t tid : *threads) {
        if (whereabouts(situation.pid, tid).kind != WhereBouts::Kind::running) continue;
        if (tid != situation.pid && only_the_main_thread(runtime)) continue;
        for (int look = 0; look < looks_per_thread; ++look) {
            auto thread = StoppedThread::stop(situation.pid, tid);
            if (!thread) {
                outcome.reason = thread.error().message();
                break;
            }
            const auto route = route_of(*thread, situation, *add_pending_call);
            if (!route) {
                outcome.reason = "thread " + std::to_string(tid) +
                                 " runs, but not in the interpreter's own code";
                thread->release();
                situation.stopped_us = std::max(situation.stopped_us, thread->held_us());
                continue;
            }
            if (!interpreter_is_live(situation.memory, runtime)) {
                outcome.reason = "the interpreter is ending";
                thread->release();
                break;
            }
            auto done = situation.loader.borrow(*thread, tid, false, route->add_pending_call);
            thread->release();
            situation.stopped_us = std::max(situation.stopped_us, thread->held_us());
            outcome.entered = static_cast<bool>(done);
            if (!done && done.error().code() == "load-failed") outcome.refused = done.error();
            outcome.reason =
                done ? "thread " + std::to_string(tid) + route->what : done.error().message();
            return outcome;
        }
    }
    return outcome;
}

}  // namespace spyglass::attach

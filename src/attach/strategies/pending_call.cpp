// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A thread that runs bytecode is made to call Py_AddPendingCall(loader's start, block); the
// interpreter then calls it at its next safepoint on the main thread, also in a loop that calls
// nothing (Py_AddPendingCall: Doc/c-api/init.rst; it needs neither the GIL nor a thread state).
#include "attach/debug_offsets.h"
#include "attach/proc_file.h"
#include "attach/safe_point.h"
#include "attach/strategy.h"

#include <algorithm>

namespace spyglass::attach {

namespace {

constexpr int looks_per_thread = 8;

// In 3.8, Py_AddPendingCall prints an error once the main thread has begun to end the interpreter;
// that cannot happen while the main thread is the one that we hold.
bool only_the_main_thread(const Runtime& runtime) {
    return (runtime.version_hex >> 16) == 0x0308;
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
            const uint64_t counter = arch::program_counter(thread->registers());
            const bool in_bytecode = !arch::interrupted_call(thread->registers()) &&
                                     in_interpreter_text(counter, situation.interpreter.image);
            if (!in_bytecode) {
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
            auto done = situation.loader.borrow(*thread, tid, false, *add_pending_call);
            thread->release();
            situation.stopped_us = std::max(situation.stopped_us, thread->held_us());
            outcome.entered = static_cast<bool>(done);
            if (!done && done.error().code() == "load-failed") outcome.refused = done.error();
            outcome.reason =
                done ? "thread " + std::to_string(tid) + " runs bytecode" : done.error().message();
            return outcome;
        }
    }
    return outcome;
}

}  // namespace spyglass::attach

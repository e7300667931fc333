// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A thread that waits in a system call makes the loader's thread and goes back to its wait, which
// the kernel restarts. The main thread first; any other serves as well, because it only calls
// pthread_create and needs no Python state.
#include "attach/proc_file.h"
#include "attach/safe_point.h"
#include "attach/strategy.h"

#include <algorithm>

namespace spyglass::attach {

namespace {

constexpr size_t max_candidates = 64;  // 500 idle threads are as good as 64

Outcome borrow_waiting(Situation& situation, pid_t tid) {
    Outcome outcome;
    const WhereBouts where = whereabouts(situation.pid, tid);
    const std::string subject =
        tid == situation.pid ? "the main thread" : "thread " + std::to_string(tid);
    if (where.kind != WhereBouts::Kind::in_call) {
        outcome.reason =
            subject + (where.kind == WhereBouts::Kind::gone ? " ended" : " is running");
        return outcome;
    }
    if (const std::string why = why_not_borrow_waiting(where, situation.map); !why.empty()) {
        outcome.reason = subject + " cannot be borrowed: " + why;
        return outcome;
    }
    auto thread = StoppedThread::stop(situation.pid, tid);
    if (!thread) {
        outcome.reason = subject + ": " + thread.error().message();
        return outcome;
    }
    // It may have moved on since it was looked at.
    const auto call = arch::interrupted_call(thread->registers());
    if (!call || (*call != where.number)) {
        outcome.reason = subject + " woke up meanwhile";
        return outcome;
    }
    auto done = situation.loader.borrow(*thread, tid, waits_without_end(where), 0);
    thread->release();
    situation.stopped_us = std::max(situation.stopped_us, thread->held_us());
    outcome.entered = static_cast<bool>(done);
    if (!done && done.error().code() == "load-failed") outcome.refused = done.error();
    outcome.reason = done ? subject + " waits in " + call_name(where.number)
                          : subject + ": " + done.error().message();
    return outcome;
}

}  // namespace

Outcome enter_by_blocked_thread(Situation& situation) {
    Outcome first = borrow_waiting(situation, situation.pid);
    if (first.entered || first.refused) return first;
    auto threads = threads_of(situation.pid);
    if (!threads) return first;
    size_t tried = 0;
    for (const pid_t tid : *threads) {
        if (tid == situation.pid) continue;
        if (++tried > max_candidates) break;
        Outcome outcome = borrow_waiting(situation, tid);
        if (outcome.entered || outcome.refused) return outcome;
    }
    return first;
}

}  // namespace spyglass::attach

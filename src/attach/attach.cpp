// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/attach.h"

#include <algorithm>
#include <map>

#include "attach/loader.h"
#include "attach/proc_file.h"
#include "attach/refusals.h"
#include "attach/safe_point.h"
#include "attach/strategy.h"
#include "attach/target.h"
#include "base/clock.h"

namespace spyglass::attach {

namespace {

constexpr uint64_t ns_per_ms = 1'000'000;
constexpr uint64_t say_waiting_after_ns = 200 * ns_per_ms;

void pause_ns(uint64_t ns) {
    const timespec pause{0, static_cast<long>(ns)};
    nanosleep(&pause, nullptr);
}

std::string what_is_waited_for(pid_t pid) {
    const WhereBouts where = whereabouts(pid, pid);
    const std::string target = "process " + std::to_string(pid);
    if (where.kind == WhereBouts::Kind::in_call) {
        return "Waiting for " + target + ": its main thread is in " + call_name(where.number) +
               "...";
    }
    return "Waiting for " + target +
           ": it runs code outside the interpreter and cannot be entered now...";
}

// Tries the strategies in order, over and over, until the loader has arrived.
class Entry {
  public:
    Entry(Situation& situation, uint64_t deadline_ns)
        : situation_(situation), deadline_ns_(deadline_ns) {}

    Result<ScopedFd> run(std::string& strategy_taken) {
        const uint64_t began_ns = monotonic_ns();
        bool said_waiting = false;
        uint64_t between_rounds_ns = 500'000;
        while (monotonic_ns() < deadline_ns_) {
            for (const Strategy& strategy : strategies()) {
                if (!wanted(strategy)) continue;
                Outcome outcome = strategy.enter(situation_);
                report(strategy, outcome);
                if (outcome.refused) return std::move(*outcome.refused);
                if (outcome.hopeless) hopeless_.push_back(strategy.id);
                if (outcome.control) {
                    strategy_taken = strategy.id;
                    return std::move(outcome.control);
                }
                if (outcome.entered) last_entered_ = strategy.id;
                const uint64_t wait_ns = outcome.entered ? strategy.patience_ms * ns_per_ms : 0;
                const Loader::Progress progress = watch(wait_ns);
                if (progress == Loader::Progress::failed) return situation_.loader.failure();
                if (progress == Loader::Progress::arrived) {
                    strategy_taken = last_entered_;
                    return situation_.loader.hand_over(
                        std::max(deadline_ns_, monotonic_ns() + 1000 * ns_per_ms));
                }
            }
            if (has_ended(situation_.pid)) return refusal("target-exited", "the target exited");
            if (thread_state(situation_.pid, situation_.pid) == 'T') {
                situation_.loader.revoke();
                return refusal("stopped", "the target is stopped");
            }
            if (situation_.request.interrupted && situation_.request.interrupted()) break;
            if (!said_waiting && monotonic_ns() - began_ns > say_waiting_after_ns) {
                said_waiting = true;
                if (situation_.request.on_waiting)
                    situation_.request.on_waiting(what_is_waited_for(situation_.pid));
            }
            pause_ns(between_rounds_ns);
            between_rounds_ns = std::min<uint64_t>(between_rounds_ns * 2, 10 * ns_per_ms);
        }
        situation_.loader.revoke();
        return refusal("no-safe-point", "the target could not be entered within " +
                                            std::to_string(situation_.request.patience_ms) + " ms");
    }

  private:
    bool wanted(const Strategy& strategy) const {
        const std::string& only = situation_.request.only_strategy;
        if (!only.empty() && only != strategy.id) return false;
        return std::find(hopeless_.begin(), hopeless_.end(), strategy.id) == hopeless_.end();
    }

    // Each strategy's answer once, until it changes.
    void report(const Strategy& strategy, const Outcome& outcome) {
        if (!situation_.request.on_progress || said_[strategy.id] == outcome.reason) return;
        said_[strategy.id] = outcome.reason;
        situation_.request.on_progress(std::string(strategy.id) +
                                       (outcome.entered ? ": taken, " : ": no, ") + outcome.reason);
    }

    Loader::Progress watch(uint64_t wait_ns) {
        const uint64_t end = monotonic_ns() + wait_ns;
        uint64_t pause = 50'000;
        for (;;) {
            const Loader::Progress progress = situation_.loader.look();
            if (progress != Loader::Progress::nothing || monotonic_ns() >= end) return progress;
            pause_ns(pause);
            pause = std::min<uint64_t>(pause * 2, ns_per_ms);
        }
    }

    Situation& situation_;
    uint64_t deadline_ns_;
    std::string last_entered_;
    std::vector<std::string_view> hopeless_;
    std::map<std::string_view, std::string> said_;
};

Result<Attachment> attach_running(const Request& request, ScopedFd pid_fd) {
    const uint64_t deadline = monotonic_ns() + request.patience_ms * ns_per_ms;
    for (const Check& check : examine(request.pid)) {
        if (!check.passed) return refusal(check.id, check.finding);
    }
    const auto map = read_memory_map(request.pid);
    if (!map) return map.error();
    const RemoteMemory memory(request.pid);
    const auto interpreter = find_interpreter(memory, *map);
    if (!interpreter) return interpreter.error();
    if (!*interpreter) return refusal("not-python", "it is not a Python process");

    auto loader = Loader::prepare(request.pid, pid_fd.get(), *map, (*interpreter)->runtime,
                                  request.guest_bytes);
    if (!loader) return std::move(loader).error();
    Situation situation{request, request.pid, pid_fd.get(), memory, *map, **interpreter, *loader};
    Attachment attachment;
    auto control = Entry(situation, deadline).run(attachment.strategy);
    if (!control) return std::move(control).error();
    attachment.pid = request.pid;
    attachment.pid_fd = std::move(pid_fd);
    attachment.control = std::move(*control);
    attachment.stopped_us = situation.stopped_us;
    attachment.python_version_hex = (*interpreter)->runtime.version_hex;
    return attachment;
}

}  // namespace

Result<Attachment> attach(const Request& request) {
    auto pid_fd = open_target(request.pid);
    if (!pid_fd) return std::move(pid_fd).error();
    auto attachment = attach_running(request, std::move(*pid_fd));
    // In a process that is ending everything fails, for reasons that say nothing.
    if (!attachment && attachment.error().code() != "zombie" && has_ended(request.pid))
        return refusal("target-exited", "the target exited");
    return attachment;
}

}  // namespace spyglass::attach

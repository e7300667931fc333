// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/executions.h"

#include <unordered_map>

#include "agent/python/execution_log.h"
#include "base/clock.h"

namespace spyglass::agent::python {

namespace {

// Keyed by what identifies the frame for its whole life, suspensions included, so that recursion,
// tasks and greenlets never meet. A generator that is dropped without an event leaves its entry to
// the next frame at that address, whose start overwrites it.
struct Start {
    PyObject* code;
    uint64_t ns;
};
using Log = std::unordered_map<const void*, Start>;
constexpr size_t max_open = 1 << 20;

Log& log() {
    static auto* const starts = new Log;
    return *starts;
}

}  // namespace

void execution_began(const void* frame, PyObject* code) {
    Log& starts = log();
    if (starts.size() >= max_open) starts.clear();
    starts[frame] = {code, monotonic_ns()};
}

void execution_ended(const void* frame) {
    log().erase(frame);
}

void forget_executions() {
    log().clear();
}

std::optional<uint64_t> find_execution(const void* frame, PyObject* code) {
    const auto found = log().find(frame);
    if (found == log().end() || found->second.code != code) return std::nullopt;
    return found->second.ns;
}

std::optional<uint64_t> execution_start_ns(const Moment& moment) {
    const void* identity = moment.identity;
    // The frame keeps its object: a borrowed address suffices.
    if (!identity) identity = Ref::steal(moment.access->frame(moment)).get();
    return identity ? find_execution(identity, moment.code) : std::nullopt;
}

}  // namespace spyglass::agent::python

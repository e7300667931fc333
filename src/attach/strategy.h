// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A way of entering the target. The table in strategies.cpp is the order in which they are tried,
// again and again until one arrived: a thread that runs now may sleep a moment later. Each says in
// one sentence why it did not apply, which `-v` shows. Any strategy may leave a request behind that
// is served later; arriving twice is harmless (LoaderBlock::claimed, GuestImage::state).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "attach/attach.h"
#include "attach/loader.h"
#include "attach/runtime.h"

namespace spyglass::attach {

/// What every strategy works on; lives as long as one attach() call.
struct Situation {
    const Request& request;
    pid_t pid;
    int pid_fd;
    RemoteMemory memory;
    const std::vector<Mapping>& map;
    const Interpreter& interpreter;
    Loader& loader;
    uint32_t stopped_us = 0;  // longest so far
};

struct Outcome {
    bool entered = false;     // a request is under way; the caller waits for its arrival
    bool hopeless = false;    // this strategy will not apply later either
    ScopedFd control = {};    // already complete (remote debugging): our end of the channel
    std::string reason = {};  // how it was entered, or why not
    std::optional<Error> refused = {};  // the target itself cannot: no strategy will do better
};

struct Strategy {
    std::string_view id;
    Outcome (*enter)(Situation& situation);
    uint32_t patience_ms;  // how long to wait for arrival before the next is tried
};

std::span<const Strategy> strategies();

Outcome enter_by_remote_debugging(Situation& situation);
Outcome enter_by_blocked_thread(Situation& situation);
Outcome enter_by_pending_call(Situation& situation);

}  // namespace spyglass::attach

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// "Put these bytes into that CPython and hand over the channel." The one door to this room: what
// the bytes do there (tracing) is not known here. Strategies are tried in the order of
// strategies.cpp; `on_progress` hears which one was taken, why others were not, and what is waited
// for. Refusals carry a code and a remedy (refusals.cpp).
//
// One thread at a time; blocks for up to `patience_ms`. The target survives the death of this
// process at any instruction (docs/safety.md).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/result.h"
#include "base/scoped_fd.h"

namespace spyglass::attach {

struct Request {
    pid_t pid = 0;
    std::span<const std::byte> guest_bytes;  // an ELF shared object with a GuestImage
    uint32_t patience_ms = 10'000;  // a target that cannot be entered for so long is given up
    std::string only_strategy;      // tests: "remote-debug", "blocked-thread", "pending-call"
    std::function<void(const std::string& line)> on_progress;  // -v: one line a call, no newline
    std::function<void(const std::string& line)> on_waiting;   // always shown: what is waited for
    std::function<bool()> interrupted;  // polled while waiting: the person gave up
};

struct Attachment {
    pid_t pid = 0;
    ScopedFd pid_fd;                  // pidfd of the target
    ScopedFd control;                 // our end of the socket pair made in the target
    std::string strategy;             // which one was taken
    uint32_t stopped_us = 0;          // longest time that a thread of the target was held
    uint32_t python_version_hex = 0;  // as PY_VERSION_HEX
};

Result<Attachment> attach(const Request& request);

}  // namespace spyglass::attach

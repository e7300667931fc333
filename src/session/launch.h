// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Starts a command with the agent preloaded: the first Python that it becomes or starts connects
// through the inherited channel and waits for its probes (agent/lifecycle/preload.cpp). The child
// shares our terminal, process group and standard streams. Main thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/scoped_fd.h"
#include "session/signals.h"

namespace spyglass::session {

struct Launched {
    pid_t pid = 0;
    ScopedFd pid_fd;
    ScopedFd control;
    ScopedFd agent_file;  // the preloaded object; must stay open until the command has started
};

Result<Launched> launch(const std::vector<std::string>& command, std::span<const std::byte> agent,
                        const Signals& signals);

/// Words as a POSIX shell splits them: quotes and backslashes, nothing expanded.
Result<std::vector<std::string>> split_words(const std::string& text);

}  // namespace spyglass::session

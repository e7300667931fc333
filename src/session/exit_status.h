// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a process ended, also when it is not our child: PIDFD_GET_INFO (Linux 6.15, ioctl_pidfd(2)).
// Before that kernel only a child's status can be known. Any thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace spyglass::session {

/// As waitpid's status word; empty when it cannot be known. `is_child`: reaps it.
std::optional<int> exit_status_of(pid_t pid, int pid_fd, bool is_child);

/// "Target exited with status 3." / "Target killed by signal: Killed (9)"
std::string describe_exit(std::optional<int> status);

}  // namespace spyglass::session

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Processes of this machine and which of them hold a Python. Reads /proc; what may not be read is
// judged by its name only. Any thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace spyglass::attach {

std::vector<pid_t> all_processes();

/// Command line on one line; the name in brackets when there is none.
std::string command_line_of(pid_t pid);

/// Children, their children, …, that hold a Python.
std::vector<pid_t> python_descendants(pid_t pid);

}  // namespace spyglass::attach

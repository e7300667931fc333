// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// `-l line:PATH:N`: the target names its source files; their lines are read here, through its root
// directory, so that the target is not held up. One thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "plan/plan.h"

namespace spyglass::session {

/// `files` as the agent listed them, one a line. Lines "line:PATH:N SOURCE", sorted by path and
/// line.
std::vector<std::string> list_lines(pid_t pid, const std::string& files,
                                    const std::string& working_directory,
                                    const plan::ListingFilter& filter);

}  // namespace spyglass::session

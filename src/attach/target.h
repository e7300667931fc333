// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a process is, as far as it matters for attaching: identity, threads, whether it is a CPython
// and which, and each precondition of attaching with its remedy. Serves `ps` and `doctor` as well.
// Reads /proc and the target's memory; never stops or changes anything. Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/scoped_fd.h"

namespace spyglass::attach {

/// The live interpreter of a target, found in its memory by its own marks.
struct Runtime {
    uint64_t remote_runtime = 0;     // &_PyRuntime
    uint64_t remote_image_base = 0;  // load bias of the image that holds it
    uint32_t version_hex = 0;        // PY_VERSION_HEX of the target
    bool free_threaded = false;
    std::string image_path;  // as /proc/PID/maps names it: for messages only
};

struct Check {
    std::string id;  // "exists", "permission", "ptrace-scope", "not-traced", "python", …
    bool passed = false;
    std::string finding;  // "ptrace_scope is 1 and the target is not a child of this process"
    std::string remedy;   // "" when passed
};

struct ProcessSummary {
    pid_t pid = 0;
    std::string version;  // "3.11.2", or "" when it could not be read
    uint32_t threads = 0;
    std::string command_line;  // escaped, one line
    std::string refusal;       // "" = attachable
};

/// Existence and permission first, so that nobody hears "symbol not found" for a permission
/// problem. The pid is held by a pidfd from here on, so it cannot be reused under us.
Result<ScopedFd> open_target(pid_t pid);

/// Every precondition in order; stops adding once one failed that the next depend on.
std::vector<Check> examine(pid_t pid);

/// The first failed check as a refusal, with Python descendants when the pid is not Python.
Result<Runtime> find_runtime(pid_t pid);

/// Python processes visible here, by pid.
std::vector<ProcessSummary> list_python_processes();

}  // namespace spyglass::attach

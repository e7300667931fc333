// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/refusals.h"

namespace spyglass::attach {

namespace {

struct Entry {
    std::string_view code;
    std::string_view remedy;
};

constexpr Entry catalogue[] = {
    {"no-such-process",
     "look for the pid with `spyglass ps`; in a container, pids differ inside and outside"},
    {"not-a-leader", "pass the pid of the process instead of a thread's id"},
    {"zombie",
     "the process has ended and waits for its parent; nothing can be seen in it any more"},
    {"target-exited", "start it again, and attach once `spyglass ps` shows it"},
    {"other-user", "run spyglass as that user or as root (sudo)"},
    {"not-dumpable",
     "the program changed its identity or asked for protection (prctl PR_SET_DUMPABLE): run "
     "spyglass as root"},
    {"no-capability",
     "start the container with `--cap-add=SYS_PTRACE`, or run spyglass outside of it"},
    {"ptrace-scope",
     "run spyglass as root, or allow it until the next boot: `sudo sysctl "
     "kernel.yama.ptrace_scope=0`"},
    {"ptrace-disabled",
     "kernel.yama.ptrace_scope is 3, which cannot be changed until the next boot"},
    {"permission",
     "run spyglass as root; in a container, start it with `--cap-add=SYS_PTRACE` and, before Linux "
     "4.8, `--security-opt seccomp=unconfined`"},
    {"already-debugged", "end the debugger or tracer named above, then try again"},
    {"already-traced", "end the other spyglass first; one at a time may trace a process"},
    {"stopped", "continue it with `kill -CONT PID` (or `fg` in its shell), then try again"},
    {"architecture", "use a spyglass that was built for the processor of the target"},
    {"not-python", "attach to the Python process itself; `spyglass ps` lists those that are here"},
    {"python-version", "CPython 3.8 to 3.15 can be traced"},
    {"free-threaded",
     "use a build of the interpreter with the global lock; free-threaded builds need an agent of "
     "their own, which this version does not bring"},
    {"not-initialised", "the interpreter is starting or ending; try again in a moment"},
    {"libc", "the target needs the GNU C library 2.28 or newer, dynamically linked"},
    {"no-safe-point",
     "the target did not come to a place where it could be entered: it is inside a long call that "
     "holds the interpreter; try again, or wait longer"},
    {"load-failed",
     "something that the agent needs is denied to the target: raise its limit (prlimit, cgroup), "
     "or "
     "loosen its seccomp filter or its mounts, then try again"},
};

}  // namespace

std::string_view remedy_for(std::string_view code) {
    for (const Entry& each : catalogue) {
        if (each.code == code) return each.remedy;
    }
    return {};
}

Error refusal(std::string_view code, std::string finding) {
    return Error(std::move(finding)).code(std::string(code)).remedy(std::string(remedy_for(code)));
}

}  // namespace spyglass::attach

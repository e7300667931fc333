// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The thread that the guest runs on, seen from outside: it knows its number in its own pid
// namespace alone, and the kernel tells when it has gone. Reads /proc only. Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace spyglass::attach {

/// Returns once process `pid` has no thread that it knows as `guest_tid`; false: it still has at
/// `deadline_ns` (CLOCK_MONOTONIC). The last thing that the guest does is to end.
bool await_guest_thread_end(pid_t pid, pid_t guest_tid, uint64_t deadline_ns);

}  // namespace spyglass::attach

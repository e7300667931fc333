// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Small reads of /proc: whole files, `Key:` lines of status files, the threads of a process.
// A process that has gone is an Error with code "target-exited". Any thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace spyglass::attach {

Result<std::string> read_proc_file(const std::string& path);

/// The value after "Key:" in the text of /proc/PID/status, without surrounding blanks; "" if
/// absent.
std::string status_field(std::string_view status, std::string_view key);

/// Thread ids, the leader first.
Result<std::vector<pid_t>> threads_of(pid_t pid);

/// State letter of a thread (proc(5): R S D T t Z X), 0 when it is gone.
char thread_state(pid_t pid, pid_t tid);

/// Gone, a zombie, or on its way out: then its memory may be gone already, and whatever is read of
/// it means nothing.
bool has_ended(pid_t pid);

}  // namespace spyglass::attach

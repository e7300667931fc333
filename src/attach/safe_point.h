// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// May this thread be borrowed, and for what? A borrowed thread calls pthread_create
// (blocked-thread) or Py_AddPendingCall (pending-call); it must not be holding a lock that these
// take: the allocator's, the dynamic loader's, the pending-call queue's. Judged by the system call
// it waits in and by the image its program counter is in; when unsure, the answer is no. Reads
// only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attach/arch/arch.h"
#include "attach/memory_map.h"
#include "attach/runtime.h"

namespace spyglass::attach {

/// From /proc/PID/task/TID/syscall (proc(5)), without stopping the thread.
struct WhereBouts {
    enum class Kind { gone, running, in_call } kind = Kind::gone;
    long number = -1;
    uint64_t arguments[6] = {};
    uint64_t program_counter = 0;
};
WhereBouts whereabouts(pid_t pid, pid_t tid);

/// The call from which a stopped thread is just coming back. It may be borrowed there for the same
/// reasons as while it waited: what its caller holds is the same.
std::optional<WhereBouts> returning_call(const arch::Registers& registers);

/// A wait of which we know that the caller holds no lock of libc. Empty reason: yes.
std::string why_not_borrow_waiting(const WhereBouts& where, const std::vector<Mapping>& map);
bool waits_without_end(const WhereBouts& where);

/// Running bytecode: inside the interpreter's own text, not in its pending-call code.
bool in_interpreter_text(uint64_t program_counter, const ElfImage& interpreter);

/// "read", "futex", … for messages; the number when it has no name here.
std::string call_name(long number);

}  // namespace spyglass::attach

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// One thread of the target, held by ptrace (PTRACE_SEIZE, PTRACE_INTERRUPT: ptrace(2)), for as long
// as this object lives. Nothing here runs code in it except `run_call`, which the thread survives
// without us. A signal that stops it first is passed on before it is held.
//
// Paired: stop / release (or the destructor). The tracer's thread that stops must also release.
// A thread that is in a group stop (SIGSTOP, SIGTSTP) is refused with code "stopped" and left so.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "attach/arch/arch.h"
#include "attach/remote_memory.h"
#include "base/result.h"

namespace spyglass::attach {

class StoppedThread {
  public:
    static Result<StoppedThread> stop(pid_t pid, pid_t tid);
    StoppedThread(StoppedThread&& other) noexcept;
    StoppedThread& operator=(StoppedThread&&) = delete;
    ~StoppedThread() { release(); }

    const arch::Registers& registers() const { return registers_; }
    Result<uint64_t> signal_mask() const;
    Result<std::vector<unsigned char>> extended_state() const;

    Result<void> set_signal_mask(uint64_t mask);
    Result<void> set_registers(const arch::Registers& registers);

    /// Runs to the end of the system call that `set_registers` prepared; its result.
    Result<int64_t> run_call();

    /// Lets the thread go with the registers that it has now. Idempotent.
    void release();
    uint32_t held_us() const;

  private:
    StoppedThread(pid_t pid, pid_t tid) : pid_(pid), tid_(tid) {}
    Result<int> wait_for_stop();

    pid_t pid_;
    pid_t tid_;
    bool held_ = false;
    uint64_t stopped_at_ns_ = 0;
    uint64_t released_at_ns_ = 0;
    arch::Registers registers_;
};

}  // namespace spyglass::attach

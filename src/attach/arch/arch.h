// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Everything about a stopped thread that depends on the processor: its registers, how the kernel
// restarts an interrupted system call, and how a thread is sent somewhere so that it comes back by
// itself. One file per processor implements this (x86_64.cpp). No ptrace here: these functions
// compute on values. Sources: sigreturn(2), syscall(2), signal(7) "Interruption of system calls".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "attach/loader_blob/block.h"

namespace spyglass::attach::arch {

/// EM_* of images that this build can enter.
extern const uint16_t elf_machine;
/// NT_* of the register set that holds floating point and vector state.
extern const int extended_state_note;

/// As PTRACE_GETREGSET NT_PRSTATUS gives them.
struct Registers {
    static constexpr size_t max_bytes = 512;
    alignas(16) unsigned char bytes[max_bytes];
    size_t used = 0;
};

uint64_t program_counter(const Registers& registers);
uint64_t stack_pointer(const Registers& registers);

/// The system call in which the thread was stopped, if the kernel would restart it or the caller
/// sees an interruption: the thread is not in user code.
std::optional<long> interrupted_call(const Registers& registers);

/// A system call that has just come back: the thread was stopped on its way out of the kernel, with
/// the result in place. A thread that makes many short calls is nearly always stopped here.
struct CompletedCall {
    long number;
    uint64_t arguments[6];
};
std::optional<CompletedCall> completed_call(const Registers& registers);

/// Registers with which the thread goes on exactly as the kernel would have let it: interrupted
/// calls are issued again. `wait_is_endless`: for calls that the kernel ends with EINTR whenever a
/// thread is stopped (epoll_wait), issue them again because no timeout is lengthened by it.
Registers resume_point(const Registers& registers, bool wait_is_endless);

/// Two short sequences that every libc has: `syscall; ret`, and the call of sigreturn.
struct Gadgets {
    uint64_t system_call = 0;
    uint64_t signal_return = 0;
};
/// Offsets within `code`; empty where it has none.
std::optional<size_t> find_system_call(std::span<const unsigned char> code);
std::optional<size_t> find_signal_return(std::span<const unsigned char> code);

/// One system call in the thread that nobody has to clean up after: below its stack lies a signal
/// frame, so that after the call it becomes itself again even if the tracer is gone.
struct RescuedCall {
    uint64_t remote_frame = 0;  // where `frame` must be written
    std::vector<unsigned char> frame;
    Registers registers;  // with which the thread then runs
};
RescuedCall rescued_call(const Registers& resume, std::span<const unsigned char> extended_state,
                         uint64_t signal_mask, const Gadgets& gadgets, long number,
                         std::span<const uint64_t> arguments);
int64_t call_result(const Registers& registers);
/// Registers for the next rescued call on the same frame.
Registers next_call(const RescuedCall& rescued, const Gadgets& gadgets, long number,
                    std::span<const uint64_t> arguments);

/// Registers for the loader's entry, and the block's copy of those to come back with.
Registers enter_loader(const Registers& resume, uint64_t remote_code, LoaderBlock& block);

}  // namespace spyglass::attach::arch

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Brings the guest's bytes into the target, given a thread that may be borrowed: maps the region
// for the injected loader (loader_blob/), sends a stopped thread through it, takes the descriptors
// that the loader made, feeds the bytes. Which thread may be borrowed, and when, is a strategy's
// decision. An inert guest of an earlier attach is found and used again, so nothing grows.
//
// The target survives the death of this process after every statement here
// (docs/safety.md, "While a thread is borrowed").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attach/arch/arch.h"
#include "attach/remote_memory.h"
#include "attach/runtime.h"
#include "attach/stopped_thread.h"
#include "base/result.h"
#include "base/scoped_fd.h"

namespace spyglass::attach {

class Loader {
  public:
    static Result<Loader> prepare(pid_t pid, int pid_fd, const std::vector<Mapping>& map,
                                  const Runtime& runtime, std::span<const std::byte> guest_bytes);

    /// Sends `thread` through the loader: it makes the loader's thread, or, with `remote_call`,
    /// calls remote_call(start, block) instead. The thread is released and comes back by itself.
    Result<void> borrow(StoppedThread& thread, pid_t tid, bool wait_is_endless,
                        uint64_t remote_call);

    enum class Progress { nothing, arrived, failed };
    /// Looks at the block. `failed` leaves the reason in `failure()`.
    Progress look();
    const Error& failure() const { return *failure_; }

    /// After `arrived`: feeds the bytes, waits until the guest runs; our end of its socket pair.
    Result<ScopedFd> hand_over(uint64_t deadline_ns);

    /// The loader's thread must not be made any more (the strategy gave up).
    void revoke();

    bool reuses_guest() const { return remote_image_ != 0; }
    uint64_t function(std::string_view name) const;  // of the target's libc; 0 when unknown

  private:
    Loader(pid_t pid, int pid_fd) : memory_(pid), pid_(pid), pid_fd_(pid_fd) {}
    Result<void> find_functions(const std::vector<Mapping>& map);
    Result<void> find_inert_guest(const std::vector<Mapping>& map);
    /// With the thread stopped: the program is still the one that was looked at.
    Result<void> check_unchanged() const;
    Result<void> map_region(StoppedThread& thread, const arch::Registers& resume, uint64_t mask);
    Result<void> previous_thread_left(pid_t tid);
    Error describe_failure(const LoaderBlock& untrusted_block) const;
    uint64_t remote_block() const { return region_ + LOADER_CODE_BYTES; }

    RemoteMemory memory_;
    pid_t pid_;
    int pid_fd_;
    uint64_t runtime_ = 0;
    std::span<const std::byte> guest_bytes_;
    arch::Gadgets gadgets_;
    struct Function {
        std::string_view name;
        uint64_t address;
    };
    std::vector<Function> functions_;
    uint64_t region_ = 0;
    uint64_t ticket_ = 0;
    bool block_written_ = false;
    uint64_t remote_image_ = 0;
    std::optional<Error> failure_;
};

/// Build-id of an ELF file held in memory, as hexadecimal; "" when it has none.
std::string build_id_of(std::span<const std::byte> elf_file);

}  // namespace spyglass::attach

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Bounded reads and writes of another process's memory, without stopping it. What is read there is
// untrusted. Needs the same permission as ptrace. Any thread; holds /proc/PID/mem open when asked.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/result.h"

namespace spyglass::attach {

class RemoteMemory {
  public:
    explicit RemoteMemory(pid_t pid) : pid_(pid) {}

    pid_t pid() const { return pid_; }

    Result<void> read(uint64_t remote, void* to, size_t bytes) const;
    /// As far as it is mapped; the number of bytes read.
    size_t read_some(uint64_t remote, void* to, size_t bytes) const;
    Result<void> write(uint64_t remote, const void* from, size_t bytes) const;
    /// Also into pages that are not writable (private copies): through /proc/PID/mem.
    Result<void> write_forced(uint64_t remote, const void* from, size_t bytes) const;

    template <class T>
    Result<T> get(uint64_t remote) const {
        static_assert(std::is_trivially_copyable_v<T>);
        T value;
        if (auto done = read(remote, &value, sizeof value); !done) return std::move(done).error();
        return value;
    }
    template <class T>
    Result<void> put(uint64_t remote, const T& value) const {
        static_assert(std::is_trivially_copyable_v<T>);
        return write(remote, &value, sizeof value);
    }

  private:
    pid_t pid_;
};

}  // namespace spyglass::attach

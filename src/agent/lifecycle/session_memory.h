// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The session's shared memory as the agent maps it. Owner of the mapping; moves only. No GIL.
#pragma once

#include <span>

#include "base/result.h"
#include "base/scoped_fd.h"
#include "wire/layout.h"

namespace spyglass::agent {

class SessionMemory {
  public:
    SessionMemory() = default;
    /// Checks the geometry that the tracer wrote against the file's size.
    static Result<SessionMemory> map(const ScopedFd& file);
    SessionMemory(SessionMemory&& other) noexcept;
    SessionMemory& operator=(SessionMemory&& other) noexcept;
    ~SessionMemory();

    wire::SessionHeader* header() const { return reinterpret_cast<wire::SessionHeader*>(base_); }
    std::byte* ring() const { return base_ + header()->ring_offset; }
    std::span<std::byte> arena() const {
        return {base_ + header()->arena_offset, header()->arena_bytes};
    }

  private:
    std::byte* base_ = nullptr;
    size_t bytes_ = 0;
};

}  // namespace spyglass::agent

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The session's shared memory as the tracer makes it (wire/layout.h): sparse, without a name,
// passed to the agent as a descriptor. Lives until the session's results are shown.
#pragma once

#include <span>

#include "base/result.h"
#include "base/scoped_fd.h"
#include "wire/layout.h"

namespace spyglass::session {

class SharedMemory {
  public:
    static Result<SharedMemory> make(uint64_t ring_bytes, uint64_t arena_bytes);
    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&&) = delete;
    ~SharedMemory();

    int fd() const { return file_.get(); }
    wire::SessionHeader* header() const { return reinterpret_cast<wire::SessionHeader*>(base_); }
    const std::byte* ring() const { return base_ + wire_ring_offset(); }
    std::span<const std::byte> arena() const { return {base_ + arena_offset_, arena_bytes_}; }

  private:
    SharedMemory() = default;
    static constexpr uint64_t wire_ring_offset() { return 4096; }

    ScopedFd file_;
    std::byte* base_ = nullptr;
    size_t bytes_ = 0;
    // Our own copies: what is in the memory may be overwritten by the target.
    uint64_t arena_offset_ = 0;
    uint64_t arena_bytes_ = 0;
};

}  // namespace spyglass::session

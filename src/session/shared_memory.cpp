// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "session/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace spyglass::session {

Result<SharedMemory> SharedMemory::make(uint64_t ring_bytes, uint64_t arena_bytes) {
    SharedMemory memory;
    memory.file_ = ScopedFd(memfd_create("spyglass-session", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    memory.bytes_ = wire_ring_offset() + ring_bytes + arena_bytes;
    memory.arena_offset_ = wire_ring_offset() + ring_bytes;
    memory.arena_bytes_ = arena_bytes;
    if (!memory.file_ || ftruncate(memory.fd(), static_cast<off_t>(memory.bytes_)) != 0) {
        return Error::from_errno("make the session's shared memory", errno);
    }
    // A target that shrank the file would turn our reads into SIGBUS.
    if (fcntl(memory.fd(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        return Error::from_errno("seal the session's shared memory", errno);
    }
    void* const base = mmap(nullptr, memory.bytes_, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_NORESERVE, memory.fd(), 0);
    if (base == MAP_FAILED) return Error::from_errno("map the session's shared memory", errno);
    memory.base_ = static_cast<std::byte*>(base);
    wire::SessionHeader& header = *memory.header();
    header.magic = wire::session_magic;
    header.version = wire::session_version;
    header.header_bytes = sizeof(wire::SessionHeader);
    header.total_bytes = memory.bytes_;
    header.ring_offset = wire_ring_offset();
    header.ring_bytes = ring_bytes;
    header.arena_offset = memory.arena_offset_;
    header.arena_bytes = arena_bytes;
    return memory;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : file_(std::move(other.file_)),
      base_(std::exchange(other.base_, nullptr)),
      bytes_(other.bytes_),
      arena_offset_(other.arena_offset_),
      arena_bytes_(other.arena_bytes_) {}

SharedMemory::~SharedMemory() {
    if (base_) munmap(base_, bytes_);
}

}  // namespace spyglass::session

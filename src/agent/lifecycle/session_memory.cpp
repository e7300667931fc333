// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/lifecycle/session_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace spyglass::agent {

Result<SessionMemory> SessionMemory::map(const ScopedFd& file) {
    const off_t size = lseek(file.get(), 0, SEEK_END);
    if (size < static_cast<off_t>(sizeof(wire::SessionHeader)))
        return Error("the session's memory is too small");
    void* const base =
        mmap(nullptr, static_cast<size_t>(size), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (base == MAP_FAILED) return Error::from_errno("map the session's memory", errno);
    SessionMemory memory;
    memory.base_ = static_cast<std::byte*>(base);
    memory.bytes_ = static_cast<size_t>(size);
    const wire::SessionHeader& header = *memory.header();
    const auto within = [&](uint64_t offset, uint64_t bytes) {
        return offset <= memory.bytes_ && bytes <= memory.bytes_ - offset;
    };
    const bool power_of_two =
        header.ring_bytes != 0 && (header.ring_bytes & (header.ring_bytes - 1)) == 0;
    if (header.magic != wire::session_magic || header.version != wire::session_version ||
        !power_of_two || !within(header.ring_offset, header.ring_bytes) ||
        !within(header.arena_offset, header.arena_bytes)) {
        return Error("the session's memory is not laid out as this agent expects");
    }
    return memory;
}

SessionMemory::SessionMemory(SessionMemory&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)), bytes_(other.bytes_) {}

SessionMemory& SessionMemory::operator=(SessionMemory&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

SessionMemory::~SessionMemory() {
    if (base_) munmap(base_, bytes_);
}

}  // namespace spyglass::agent

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Writes one stream file. Hot path: `event`, a few stores; once per packet a system call. After
// every event the file is complete (README.md). One thread at a time; no allocation after `create`.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/scoped_fd.h"
#include "ctf/packet.h"
#include "schema/event.h"

namespace spyglass::ctf {

struct StreamIdentity {
    schema::StreamKind kind = schema::StreamKind::thread;
    uint64_t instance = 0;
    uint32_t tid = 0;
};

class StreamWriter {
  public:
    /// A new file of that name; `now` in ns of CLOCK_MONOTONIC.
    static Result<std::unique_ptr<StreamWriter>> create(int directory, const std::string& name,
                                                        const StreamIdentity& identity,
                                                        uint64_t now);
    ~StreamWriter();
    StreamWriter(const StreamWriter&) = delete;
    StreamWriter& operator=(const StreamWriter&) = delete;

    /// False: it is lost, and counted; the disk is full, say (`failure`). `now` may lag behind the
    /// event before; it is recorded at that time then.
    bool event(unsigned id, uint64_t now, const void* payload, size_t payload_bytes) {
        if (now < last_) now = last_;
        if (now - last_ >= timestamp_range) [[unlikely]]
            return extended_event(id, now, payload, payload_bytes);
        const size_t bytes = compact_header_bytes + payload_bytes;
        if (cursor_ + bytes > end_) [[unlikely]] {
            if (!next_packet(now, bytes)) return false;
        }
        const uint32_t head = id | static_cast<uint32_t>((now & (timestamp_range - 1)) << id_bits);
        memcpy(cursor_, &head, sizeof head);
        memcpy(cursor_ + compact_header_bytes, payload, payload_bytes);
        commit(bytes, now);
        return true;
    }

    /// The errno that ended this stream; 0: none.
    int failure() const { return failure_; }
    uint64_t discarded() const { return discarded_; }
    uint64_t packets() const { return sequence_; }

    /// In a child after fork(2): the file is the parent's. Nothing is written any more.
    void abandon();

  private:
    StreamWriter(ScopedFd file, const StreamIdentity& identity)
        : file_(std::move(file)), identity_(identity) {}

    void commit(size_t bytes, uint64_t now) {
        cursor_ += bytes;
        last_ = now;
        // The processor keeps the order of stores that a later look from the kernel or another
        // process sees; the fence keeps the compiler from changing it.
        std::atomic_ref(header_->content_bits)
            .store(static_cast<uint64_t>(cursor_ - packet_) * 8, std::memory_order_release);
    }
    bool extended_event(unsigned id, uint64_t now, const void* payload, size_t payload_bytes);
    bool next_packet(uint64_t now, size_t event_bytes);
    bool map_window();
    bool lose();

    ScopedFd file_;
    StreamIdentity identity_;
    std::byte* cursor_ = nullptr;
    std::byte* end_ = nullptr;
    std::byte* packet_ = nullptr;
    PacketHeader* header_ = nullptr;
    uint64_t last_ = 0;
    uint64_t sequence_ = 0;  // packets made
    uint64_t discarded_ = 0;
    std::byte* window_ = nullptr;
    uint64_t window_first_ = 0;  // number of the packet at its start
    int failure_ = 0;
};

/// A payload with texts, built field by field in the order of its type. Texts that are too long are
/// cut in the middle.
class Payload {
  public:
    template <class Number>
    Payload& number(Number value) {
        memcpy(bytes_ + size_, &value, sizeof value);
        size_ += sizeof value;
        return *this;
    }
    Payload& text(std::string_view value);

    const void* data() const { return bytes_; }
    size_t size() const { return size_; }

  private:
    // Up to four texts and a few numbers.
    std::byte bytes_[packet_bytes - sizeof(PacketHeader) - extended_header_bytes];
    size_t size_ = 0;
};

}  // namespace spyglass::ctf

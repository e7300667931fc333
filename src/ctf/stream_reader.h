// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Reads one stream file, also one that is still being written or was cut anywhere: events come
// until the last whole one. Everything read is untrusted. Memory: one buffer, whatever the file's
// size. One thread at a time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/scoped_fd.h"
#include "ctf/packet.h"
#include "ctf/stream_writer.h"

namespace spyglass::ctf {

struct Event {
    const schema::EventType* type = nullptr;
    uint64_t timestamp = 0;              // ns, CLOCK_MONOTONIC
    std::span<const std::byte> payload;  // valid until the next event is read

    /// Fields in the order of the type.
    class Fields {
      public:
        explicit Fields(std::span<const std::byte> payload) : rest_(payload) {}
        template <class Number>
        Number number() {
            Number value;
            memcpy(&value, rest_.data(), sizeof value);
            rest_ = rest_.subspan(sizeof value);
            return value;
        }
        std::string_view text() {
            const char* const begin = reinterpret_cast<const char*>(rest_.data());
            const std::string_view value(begin);
            rest_ = rest_.subspan(value.size() + 1);
            return value;
        }

      private:
        std::span<const std::byte> rest_;
    };
    /// The reader has checked that they are all there.
    Fields fields() const { return Fields(payload); }
};

class StreamReader {
  public:
    /// Fails when this is no stream of ours; an empty file is one without events.
    static Result<std::unique_ptr<StreamReader>> open(int directory, const std::string& name);

    const StreamIdentity& identity() const { return identity_; }
    /// False: no more, or what follows is not whole (`damage`).
    bool next(Event& event);

    /// Lost by the writer up to the last packet read.
    uint64_t discarded() const { return discarded_; }
    /// What ended the reading before the end of the file; empty: nothing.
    const std::string& damage() const { return damage_; }
    /// Bytes of the file that hold the packets read so far, and in them up to the last whole event.
    uint64_t packet_end() const { return packet_offset_ + packet_bytes; }
    uint64_t last_event_end() const { return packet_offset_ + at_; }

  private:
    StreamReader(ScopedFd file) : file_(std::move(file)) {}

    bool next_packet();
    bool stop(const char* why);

    ScopedFd file_;
    StreamIdentity identity_;
    std::vector<std::byte> buffer_;
    size_t buffer_begin_ = 0;  // of the packet in the buffer
    size_t buffer_bytes_ = 0;
    uint64_t file_offset_ = 0;    // of what is read next into the buffer
    uint64_t packet_offset_ = 0;  // of the packet in the file
    uint64_t packets_ = 0;
    const std::byte* packet_ = nullptr;
    size_t at_ = 0;
    size_t end_ = 0;
    uint64_t now_ = 0;
    uint64_t discarded_ = 0;
    bool over_ = false;
    std::string damage_;
};

/// Makes a file that was cut readable by other programs: what follows the last whole event goes.
/// Returns how many bytes went.
Result<uint64_t> repair(int directory, const std::string& name);

}  // namespace spyglass::ctf

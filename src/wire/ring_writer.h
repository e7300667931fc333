// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The agent's end of the print ring (layout.h). One writer at a time; wait-free; never allocates. A
// record counts once `written` covers it, so a writer that dies in the middle leaves nothing.
//
// Waking the reader is a Dekker pair: the writer stores `written` then reads `reader_waiting`, the
// reader stores `reader_waiting` then reads `written`; both with a full fence between, so at least
// one of them sees the other.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstring>
#include <ctime>
#include <string_view>

#include "wire/layout.h"

namespace spyglass::wire {

class RingWriter {
  public:
    RingWriter() = default;
    RingWriter(SessionHeader* header, std::byte* ring, int event_fd)
        : header_(header), ring_(ring), bytes_(header->ring_bytes), event_fd_(event_fd) {}

    /// False: no room.
    bool write(RecordKind kind, uint16_t clause, bool more, uint32_t thread,
               std::string_view payload) {
        const uint64_t needed = aligned(sizeof(RecordHeader) + payload.size());
        uint64_t position = header_->written.load(std::memory_order_relaxed);
        const uint64_t to_end = bytes_ - position % bytes_;
        const uint64_t skipped = needed > to_end ? to_end : 0;  // a record never wraps
        const uint64_t used = position - header_->consumed.load(std::memory_order_acquire);
        if (used > bytes_ || bytes_ - used < needed + skipped) return false;
        if (skipped != 0) {
            // The end holds at least one header: records and ring are multiples of its alignment,
            // and a shorter rest is known to both sides as padding.
            if (skipped >= sizeof(RecordHeader)) {
                const RecordHeader padding{static_cast<uint32_t>(skipped - sizeof(RecordHeader)),
                                           RecordKind::padding,
                                           0,
                                           0,
                                           0,
                                           0};
                memcpy(ring_ + position % bytes_, &padding, sizeof padding);
            }
            position += skipped;
        }
        const RecordHeader record{static_cast<uint32_t>(payload.size()),
                                  kind,
                                  more ? RecordHeader::more : uint8_t{0},
                                  clause,
                                  thread,
                                  0};
        std::byte* const to = ring_ + position % bytes_;
        memcpy(to, &record, sizeof record);
        memcpy(to + sizeof record, payload.data(), payload.size());
        header_->records.store(header_->records.load(std::memory_order_relaxed) + 1,
                               std::memory_order_relaxed);
        header_->written.store(position + needed, std::memory_order_release);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (header_->reader_waiting.load(std::memory_order_relaxed) != 0) wake_reader();
        return true;
    }

    void count_dropped() {
        header_->dropped.store(header_->dropped.load(std::memory_order_relaxed) + 1,
                               std::memory_order_relaxed);
    }

    /// Until the reader consumed something, or the time is over (false). Any thread.
    bool wait_for_space(uint64_t timeout_ns) {
        const uint64_t before = header_->consumed.load(std::memory_order_acquire);
        header_->writer_waiting.store(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        wake_reader();
        if (header_->consumed.load(std::memory_order_acquire) == before) {
            const timespec timeout{static_cast<time_t>(timeout_ns / 1'000'000'000),
                                   static_cast<long>(timeout_ns % 1'000'000'000)};
            syscall(SYS_futex, &header_->writer_waiting, FUTEX_WAIT, 1, &timeout, nullptr, 0);
        }
        return header_->consumed.load(std::memory_order_acquire) != before;
    }

    static constexpr uint64_t aligned(uint64_t bytes) {
        return (bytes + record_alignment_bytes - 1) & ~(record_alignment_bytes - 1);
    }

  private:
    void wake_reader() const {
        const uint64_t one = 1;
        // Fails only when the counter is full, and then the reader has been woken.
        [[maybe_unused]] const ssize_t count = ::write(event_fd_, &one, sizeof one);
    }

    SessionHeader* header_ = nullptr;
    std::byte* ring_ = nullptr;
    uint64_t bytes_ = 0;
    int event_fd_ = -1;
};

}  // namespace spyglass::wire

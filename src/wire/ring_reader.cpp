// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "wire/ring_reader.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstring>

#include "wire/ring_writer.h"

namespace spyglass::wire {

bool RingReader::next(Record& record) {
    while (!damaged_) {
        const uint64_t written = header_->written.load(std::memory_order_acquire);
        if (written == position_) return false;
        const uint64_t available = written - position_;
        const uint64_t to_end = bytes_ - position_ % bytes_;
        if (available > bytes_ || available % record_alignment_bytes != 0) break;
        if (to_end < sizeof(RecordHeader)) {  // too short for a header: padding
            if (available < to_end) break;
            position_ += to_end;
            continue;
        }
        RecordHeader untrusted;
        memcpy(&untrusted, ring_ + position_ % bytes_, sizeof untrusted);
        const uint64_t needed =
            RingWriter::aligned(sizeof untrusted + uint64_t{untrusted.payload_bytes});
        if (needed > available || needed > to_end) break;
        const std::byte* const payload = ring_ + position_ % bytes_ + sizeof untrusted;
        position_ += needed;
        if (untrusted.kind == RecordKind::padding) continue;
        if (untrusted.kind > RecordKind::action_error) break;
        payload_.assign(reinterpret_cast<const char*>(payload), untrusted.payload_bytes);
        record = {untrusted.kind, (untrusted.flags & RecordHeader::more) != 0, untrusted.clause,
                  untrusted.thread, payload_};
        return true;
    }
    damaged_ = true;
    return false;
}

void RingReader::release() {
    header_->consumed.store(position_, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (header_->writer_waiting.exchange(0, std::memory_order_relaxed) != 0) {
        syscall(SYS_futex, &header_->writer_waiting, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    }
}

bool RingReader::prepare_to_wait() {
    header_->reader_waiting.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (header_->written.load(std::memory_order_acquire) == position_) return true;
    awake();
    return false;
}

void RingReader::awake() {
    header_->reader_waiting.store(0, std::memory_order_relaxed);
}

}  // namespace spyglass::wire

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The tracer's end of the print ring (layout.h). Everything in the ring was written by the target:
// headers are copied, checked, then used; a ring that makes no sense is reported once and read no
// further. One reader; never blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/layout.h"

namespace spyglass::wire {

struct Record {
    RecordKind kind = RecordKind::padding;
    bool more = false;
    uint16_t clause = no_clause;
    uint32_t thread = 0;
    std::string_view payload;  // valid until the next call
};

class RingReader {
  public:
    RingReader(SessionHeader* header, const std::byte* ring, uint64_t ring_bytes)
        : header_(header), ring_(ring), bytes_(ring_bytes) {}

    /// False: nothing more now. Space is given back by `release`.
    bool next(Record& record);
    /// Gives the space of everything read so far back to the writer.
    void release();
    /// About to sleep: false when there is something to read after all. After waking, `awake`.
    bool prepare_to_wait();
    void awake();

    bool damaged() const { return damaged_; }
    uint64_t dropped() const { return header_->dropped.load(std::memory_order_relaxed); }

  private:
    SessionHeader* header_;
    const std::byte* ring_;
    uint64_t bytes_;
    uint64_t position_ = 0;
    std::string payload_;
    bool damaged_ = false;
};

}  // namespace spyglass::wire

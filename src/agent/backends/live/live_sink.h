// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Text for the tracer's screen: records in the session's ring. Writers are serialised by the GIL;
// those that wait for room do so without it, and `close` lets them go before the memory is
// unmapped.
#pragma once

#include <atomic>

#include "agent/backends/text_sink.h"
#include "wire/ring_writer.h"

namespace spyglass::agent::backends {

class LiveSink final : public TextSink {
  public:
    explicit LiveSink(wire::RingWriter ring) : ring_(ring) {}

    WriteResult write(wire::RecordKind kind, uint16_t clause, bool more,
                      std::string_view fragment) override;
    bool wait_for_space(uint64_t timeout_ns) override;
    void count_dropped() override { ring_.count_dropped(); }

    /// Until nobody waits any more. Without the GIL.
    void close();

  private:
    wire::RingWriter ring_;
    std::atomic<int> waiting_{0};
    std::atomic<bool> closed_{false};
};

}  // namespace spyglass::agent::backends

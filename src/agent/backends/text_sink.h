// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where actions' prints and error reports go. The probes know only this; backends/live writes the
// session's ring. Callers serialise (the GIL does). `write` never blocks and never allocates; when
// it answers `full`, the caller lets the GIL go, calls `wait_for_space`, and tries again.
#pragma once

#include <cstdint>
#include <string_view>

#include "wire/layout.h"

namespace spyglass::agent::backends {

enum class WriteResult : uint8_t { written, full };

class TextSink {
  public:
    /// One fragment of at most wire::max_fragment_bytes.
    virtual WriteResult write(wire::RecordKind kind, uint16_t clause, bool more,
                              std::string_view fragment) = 0;
    /// Until the reader made room or `timeout_ns` passed. Without the GIL. False: timed out.
    virtual bool wait_for_space(uint64_t timeout_ns) = 0;
    virtual void count_dropped() = 0;

  protected:
    ~TextSink() = default;
};

}  // namespace spyglass::agent::backends

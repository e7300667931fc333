// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The contract between event sources (Python now; OpenMP, CUDA) and their users (probes now;
// recording). A domain tells its one observer about regions (a Python code object, a code address)
// and what happens in them. Neither side knows which the other is.
//
// Cost: one indirect call per event that somebody wants; nothing for a location nobody wants, which
// is why `decide` and `decide_line` are asked before events are heard.
// Threads: calls come on the thread where it happened; for Python with the GIL (or, free-threaded,
// with the thread attached). An observer never blocks and never lets an exception of its own
// out.
#pragma once

#include <cstdint>

namespace spyglass::agent {

enum class RegionEvent : uint8_t { start, yield, resume, ret, unwind, line };
inline constexpr unsigned region_event_count = 6;

using EventMask = uint8_t;
constexpr EventMask mask_of(RegionEvent event) {
    return static_cast<EventMask>(1u << static_cast<unsigned>(event));
}

/// One traced piece of code, for as long as it exists. Owned by its domain; the address is stable.
struct Region {
    EventMask wanted = 0;     // what the observer answered
    uint32_t generation = 0;  // of the arming it answered for; 0: never asked
    void* data = nullptr;     // the observer's own
};

/// One thing that happens; lives on the stack of the domain's callback. The domain derives its own
/// type from it (agent/python/moment.h).
struct Occurrence {
    Region* region = nullptr;
    RegionEvent event = RegionEvent::start;
    uint32_t line = 0;  // for `line`
};

struct Observer {
    /// Once per region and arming: which events are wanted there.
    EventMask (*decide)(const Occurrence& first);
    /// Once per line location of a region that wants `line`: is this line wanted?
    bool (*decide_line)(const Occurrence&);
    /// False: an exception of the program's own is set, which goes on from here.
    bool (*hear)(const Occurrence&);
    /// The region's code is being freed; `data` must not be used any more.
    void (*forget)(Region&);
};

}  // namespace spyglass::agent

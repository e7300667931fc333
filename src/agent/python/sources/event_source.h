// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The two kinds of event source and what source.cpp offers to both: whether a code object is
// watched, and the way to the observer. A source finds events and frames; it decides nothing.
// GIL held.
#pragma once

#include "agent/python/code_state.h"
#include "agent/python/moment.h"
#include "base/result.h"

namespace spyglass::agent::python {

struct EventSource {
    const char* name;
    bool (*applies)();
    Result<void> (*arm)(EventMask events);
    void (*disarm)();
};

EventSource monitoring_source();  // CPython 3.12+: sys.monitoring (PEP 669)
EventSource
frame_evaluation_source();  // CPython 3.8 to 3.11: PEP 523, and trace functions for lines

bool is_armed();
/// Number of the arming in force, never used again; 0 when there is none.
uint32_t current_arming();

/// Events of this code object that must be passed to hear(). Asks the observer once per arming;
/// `moment` must be complete but for its region.
EventMask watched_events(CodeState& state, Moment& moment);
bool wants_line(const Moment& moment);

/// Tells the observer, and keeps executions. `moment.region` is set. False: an exception of the
/// program is set, and the source must let it go on from here.
[[nodiscard]] bool hear(const Moment& moment);

}  // namespace spyglass::agent::python

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the evaluation hook and the trace function share: from a frame of CPython 3.8 to 3.11 to the
// observer. The program's trace and profile functions, its errno and its recursion limit notice
// nothing of what the observer does. GIL held, no exception set.
#pragma once

#include "agent/python/code_state.h"
#include "agent/python/sources/event_source.h"
#include "agent/python/sources/old_frame.h"

namespace spyglass::agent::python {

/// What the observer wants of this code; asks it when it was not asked in this arming.
inline EventMask watched_here(CodeState& state, OldFrame frame) {
    if (state.generation == current_arming()) return state.watched;
    Moment first;
    first.code = state.code;
    first.access = &old_frame_access;
    first.native = &frame;
    first.identity = frame.frame;
    return watched_events(state, first);
}

/// `line`: for RegionEvent::line only; not told when the observer does not want that line.
/// False: an exception of the program is set, and must go on from here.
[[nodiscard]] bool tell(PyThreadState* thread, CodeState& state, OldFrame frame, RegionEvent event,
                        PyObject* value, uint32_t line = 0);

}  // namespace spyglass::agent::python

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Frames as a monitoring callback sees them (3.12+): a native callback pushes no Python frame, so
// the running frame is the one that the event is about. Its object is made only when asked for.
// GIL held.
#pragma once

#include "agent/python/moment.h"

namespace spyglass::agent::python {

/// Moment::native of this source; lives on the callback's stack.
struct MonitoredFrame {
    PyFrameObject* frame = nullptr;  // borrowed: the interpreter owns it while it runs
};

extern const FrameAccess monitored_frame_access;

}  // namespace spyglass::agent::python

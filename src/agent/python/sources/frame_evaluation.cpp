// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/sources/event_source.h"

namespace spyglass::agent::python {

namespace {

bool applies() { return false; }
Result<void> arm(EventMask) { return Error("not built"); }
void disarm() {}

}  // namespace

EventSource frame_evaluation_source() { return {"frame evaluation", applies, arm, disarm}; }

}  // namespace spyglass::agent::python

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Arms and disarms the event source that fits the running interpreter (sources/*.cpp, chosen by
// sources.cpp: sys.monitoring on 3.12+, frame evaluation hook and trace function on 3.8-3.11).
// One observer at a time. GIL held, main interpreter. Paired: arm / disarm. After disarm nothing of
// ours is registered anywhere, what another tool had registered is as it was, and no callback of
// ours is running or will run.
#pragma once

#include "agent/domain.h"
#include "base/result.h"

namespace spyglass::agent::python {

struct Arming {
    EventMask events = 0;           // every event that some region might want
    bool track_executions = false;  // keep starts for executions.h (elapsed())
    const Observer* observer = nullptr;
};

Result<void> arm(const Arming& arming);
void disarm();

}  // namespace spyglass::agent::python

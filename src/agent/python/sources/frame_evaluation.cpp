// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// CPython 3.8 to 3.11: the evaluation hook for frames that begin from now on, a trace function for
// lines and for the ends of frames that are running already.
#include "agent/python/sources/evaluation_hook.h"
#include "agent/python/sources/event_source.h"
#include "agent/python/sources/old_layouts.h"
#include "agent/python/sources/trace_function.h"

namespace spyglass::agent::python {

namespace {

bool applies() {
    return !api.at_least(3, 12);
}

Result<void> arm(EventMask) {
    if (auto chosen = choose_old_layout(); !chosen) return chosen;
    if (auto installed = install_evaluation_hook(); !installed) return installed;
    trace_running_frames();
    return {};
}

void disarm() {
    remove_evaluation_hook();
    untrace_all_threads();
}

}  // namespace

EventSource frame_evaluation_source() {
    return {"frame evaluation", applies, arm, disarm};
}

}  // namespace spyglass::agent::python

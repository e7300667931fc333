// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/sources/old_event.h"

#include <cerrno>

#include "agent/python/sources/old_thread.h"

namespace spyglass::agent::python {

bool tell(PyThreadState* thread, CodeState& state, OldFrame frame, RegionEvent event,
          PyObject* value, uint32_t line) {
    Moment moment;
    moment.region = &state;
    moment.event = event;
    moment.line = line;
    moment.code = state.code;
    moment.value = value;
    moment.access = &old_frame_access;
    moment.native = &frame;
    moment.identity = frame.frame;
    if (event == RegionEvent::line && !wants_line(moment)) return true;
    bool goes_on = true;
    const int saved_errno = errno;
    {
        const QuietThread quiet(thread);
        goes_on = hear(moment);
    }
    errno = saved_errno;
    return goes_on;
}

}  // namespace spyglass::agent::python

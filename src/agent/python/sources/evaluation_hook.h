// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The frame evaluation function that stands before the interpreter's own on CPython 3.8 to 3.11: it
// hears every frame begin and end on every thread, and tells start from resume and return from
// yield and unwind. A frame that nobody wants costs one look at its code object.
//
// What was installed before goes on to be called. A tool that was installed after us keeps us in
// its chain: then the hook stays there when it is removed, and only passes on. Frames that are
// inside of it when it is removed pass through it later and do nothing else there.
//
// 3.11 runs Python calls without C stack, but not under a hook. Where the stack of a thread comes
// to its end, the hook steps aside until that frame has returned: events are missed, the program is
// not harmed. GIL held in every call.
#pragma once

#include "base/result.h"

namespace spyglass::agent::python {

Result<void> install_evaluation_hook();
void remove_evaluation_hook();

}  // namespace spyglass::agent::python

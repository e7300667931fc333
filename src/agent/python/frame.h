// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What actions ask of a frame beyond single names: its arguments, its stack. Built on FrameAccess,
// so they are the same for every source. GIL held; new references; null with an exception set only
// when memory is exhausted.
#pragma once

#include "agent/python/moment.h"

namespace spyglass::agent::python {

/// A dict of the function's arguments in the order of their declaration, *args and **kwargs under
/// their names; values as they are now; deleted ones are left out.
PyObject* arguments_of(const Moment& moment);

/// A tuple of "qpath:line", innermost first, at most `limit` (negative: all).
PyObject* stack_of(const Moment& moment, Py_ssize_t limit);

/// "qpath:line" of the calling frame; "" when there is none.
PyObject* caller_of(const Moment& moment);

}  // namespace spyglass::agent::python

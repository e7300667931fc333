// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A signal may arrive while an action runs on the main thread, and the program's handler, which the
// interpreter calls there, may raise: a time limit, CTRL-C. That exception is the program's and
// must reach it, while whatever the action itself raises must not. Looked at only when an action
// failed. GIL held.
#pragma once

#include "agent/python/capi.h"

namespace spyglass::agent::probes {

/// Whether a signal handler of the program raised `exception` (normalised) in an action. An action
/// that names KeyboardInterrupt is taken to have raised it itself.
bool raised_by_signal_handler(PyObject* exception, PyObject* traceback);

}  // namespace spyglass::agent::probes

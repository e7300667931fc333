// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The way from an occurrence to the actions that want it, and back out of them in one piece:
// nothing that an action does or raises reaches the program. The hot path of probes. GIL held.
#pragma once

#include "agent/domain.h"
#include "agent/probes/state.h"

namespace spyglass::agent::probes {

const Observer& probe_observer();

enum class Ran : uint8_t {
    on,           // go on with the next clause
    removed,      // the probe program was removed meanwhile: touch nothing of it
    interrupted,  // an exception of the traced program is set (signal_exception.h)
};
/// Runs a clause's predicate and action at `moment` (null: BEGIN or END).
Ran run_clause(Clause& clause, const python::Moment* moment);

/// Raised by elapsed() when the start was not seen: the firing is left out and counted.
PyObject* skip_firing_exception();

}  // namespace spyglass::agent::probes

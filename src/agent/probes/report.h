// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// An exception in an action, for the person: which probe, where in the action, which line of it. In
// full the first time for each clause; then counted. Takes the current exception. GIL held.
#pragma once

#include "agent/probes/state.h"

namespace spyglass::agent::probes {

void report_exception(Program& program, Clause& clause, bool interrupted);

}  // namespace spyglass::agent::probes

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is shown when a session is over: the maps, and what the person should know about the result
// (errors that were only counted, clauses that matched nothing, what was lost).
#pragma once

#include "output/report.h"
#include "plan/plan.h"
#include "session/session.h"

namespace spyglass::session {

void show_maps(output::Report& report, const SharedMemory& memory);
void show_losses(output::Report& report, const SharedMemory& memory, const plan::Program& program,
                 const Outcome& outcome, bool quiet);

}  // namespace spyglass::session

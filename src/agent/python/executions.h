// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which start belongs to which end: one execution of a code object from its first start to its
// return or unwind, across any number of suspensions, per thread or task. Kept only while armed
// with `track_executions`. Executions that were running at arm() have no start; entering in the
// middle never disturbs the pairing of others. GIL held (free-threaded: own lock). Times:
// CLOCK_MONOTONIC ns.
#pragma once

#include <cstdint>
#include <optional>

#include "agent/python/moment.h"

namespace spyglass::agent::python {

/// When the execution that `moment` belongs to began; empty when that was not seen.
std::optional<uint64_t> execution_start_ns(const Moment& moment);

}  // namespace spyglass::agent::python

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sources' side of executions.h: what began and ended. `frame` identifies the frame from its
// start to its end, suspensions included. GIL held.
#pragma once

#include <cstdint>
#include <optional>

#include "agent/python/capi.h"

namespace spyglass::agent::python {

void execution_began(const void* frame, PyObject* code);
void execution_ended(const void* frame);
std::optional<uint64_t> find_execution(const void* frame, PyObject* code);
void forget_executions();

}  // namespace spyglass::agent::python

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Text on its way to the tracer: bounded in size, cut into records, waiting for a slow reader only
// so long. GIL held; it is released while waiting.
#pragma once

#include <string>
#include <string_view>

#include "agent/probes/state.h"

namespace spyglass::agent::probes {

inline constexpr size_t max_text_bytes = 1 << 20;

/// str(object), at most max_text_bytes with a mark of what was left out; never leaves an exception.
std::string bounded_text(PyObject* object);
/// The same with the exception left set and `text` unchanged when str() raises: false.
bool append_text(PyObject* object, std::string& text);

void write_text(Program& program, wire::RecordKind kind, uint16_t clause, std::string_view text);

}  // namespace spyglass::agent::probes

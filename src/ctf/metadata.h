// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The `metadata` file of a trace: what other programs need to read it (TSDL, CTF 1.8). Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace spyglass::ctf {

/// What stands in the environment block: names are identifiers.
using TraceEnvironment = std::vector<std::pair<std::string, std::string>>;

/// `clock_offset_ns`: CLOCK_REALTIME minus CLOCK_MONOTONIC.
std::string metadata(const TraceEnvironment& environment, uint64_t clock_offset_ns);

}  // namespace spyglass::ctf

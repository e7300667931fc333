// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A trace is a directory: made for one recording, found again for reading. Any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/scoped_fd.h"
#include "ctf/metadata.h"

namespace spyglass::ctf {

/// Makes the directory (and those above it) with its metadata. Fails when it holds anything.
Result<ScopedFd> create_trace(const std::string& path, const TraceEnvironment& environment);

/// The names of its streams, sorted. Fails when it is not a trace.
Result<std::vector<std::string>> list_streams(int directory);
Result<ScopedFd> open_trace(const std::string& path);

}  // namespace spyglass::ctf

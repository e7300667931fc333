// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a text that a person wrote. Main thread.
#pragma once

#include <string>

#include "base/result.h"
#include "base/source_text.h"

namespace spyglass::cli {

/// "-" is standard input.
Result<SourceText> read_source(const std::string& path);

}  // namespace spyglass::cli

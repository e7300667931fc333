// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The text of a configuration file to edits. All mistakes of a text are found, each with its place;
// with any of them the edits must not be applied. Any thread.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "base/source_text.h"
#include "config/edits.h"

namespace spyglass::config {

struct Parsed {
    std::vector<Edit> edits;
    Diagnostics diagnostics;
};
Parsed parse(const SourceText& source);

}  // namespace spyglass::config

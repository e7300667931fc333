// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The printed forms of aggregates: the layout that users of the reference know. Used at the end of
// a session and, in the target, when an action prints a histogram. Pure functions.
#pragma once

#include <string>

#include "aggregate/snapshot.h"

namespace spyglass::aggregate {

/// Name, blank line, one line (or one histogram) per entry; "" for a map with nothing in it.
std::string render(const MapSnapshot& map);

/// Title line and rows, each ended by a newline.
std::string render(const Histogram& histogram);

/// As Python's repr prints it: shortest digits that read back the same.
std::string render(double value);

/// The number of an entry, as printed.
std::string render_value(const EntrySnapshot& entry);

}  // namespace spyglass::aggregate

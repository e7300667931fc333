// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is written well and yet can have no effect. Any thread.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "config/edits.h"

namespace spyglass::config {

/// Warnings about edits of one text, given what they have come to.
Diagnostics check(const std::vector<Edit>& edits, const Configuration& configuration);

}  // namespace spyglass::config

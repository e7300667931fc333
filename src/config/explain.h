// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// `config check --explain NAME`: what one function's settings are, and where each comes from. Any
// thread.
#pragma once

#include <string>

#include "base/result.h"
#include "config/configuration.h"

namespace spyglass::config {

/// `name` as in a section: "Python:solver.py:Solver.run", "Solver.run", "utils.log_debug" (a
/// function of a module, or a method), "0x401234". Lines of text.
Result<std::string> explain(const Configuration& configuration, const std::string& name);

}  // namespace spyglass::config

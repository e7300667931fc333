// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue of reasons why a target cannot be attached, each with its remedy. One place, so
// that `doctor`, `ps` and a refused attach say the same. Codes are stable: scripts and tests use
// them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace spyglass::attach {

/// `finding` says what was seen, in one sentence without a full stop.
Error refusal(std::string_view code, std::string finding);

/// What to do about it; "" for an unknown code.
std::string_view remedy_for(std::string_view code);

}  // namespace spyglass::attach

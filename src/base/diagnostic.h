// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A mistake in what the person wrote, as a value with a place. Passes collect them; output/ prints
// them once (line, caret, hint). Failures of the machine are base/result.h. Any thread; owned.
#pragma once

#include <string>
#include <vector>

#include "base/source_text.h"

namespace spyglass {

enum class Severity : uint8_t { error, warning };

struct Diagnostic {
    Severity severity = Severity::error;
    Location location;
    uint32_t length = 1;  // bytes underlined from the location, within its line
    std::string message;  // what is wrong, and what was read
    std::string hint;     // what to write instead; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

inline bool has_errors(const Diagnostics& all) {
    for (const Diagnostic& each : all) {
        if (each.severity == Severity::error) return true;
    }
    return false;
}

/// Up to `limit` of `candidates` that are close to `word` (edit distance), nearest first.
std::vector<std::string> nearest_names(const std::string& word,
                                       const std::vector<std::string>& candidates,
                                       size_t limit = 3);

}  // namespace spyglass

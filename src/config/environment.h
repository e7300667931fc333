// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The variables that configure a program at its start. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/edits.h"

namespace spyglass::config {

enum class Sink : uint8_t { automatic, ctf, lttng, both };

struct Environment {
    std::vector<Edit> edits;  // over those of the file, at the start alone
    std::string file;         // PINSIGHT_TRACE_CONFIG_FILE; empty: not set
    Sink sink = Sink::automatic;
    std::string directory;  // PINSIGHT_TRACE_DIR; empty: not set
    bool debug = false;
    int reload_signal = 0;              // 0: none
    std::vector<std::string> mistakes;  // a sentence each: variable, value, what is allowed
};

/// `get` as getenv(3): null when there is none.
Environment read_environment(const std::function<const char*(const char*)>& get);

}  // namespace spyglass::config

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The agent's shared object, carried inside this program.
#pragma once

#include <cstddef>
#include <span>

extern "C" {
extern const std::byte spyglass_agent_begin[];  // embed_agent.S
extern const std::byte spyglass_agent_end[];
}

namespace spyglass::cli {

inline std::span<const std::byte> agent_bytes() {
    return {spyglass_agent_begin, static_cast<size_t>(spyglass_agent_end - spyglass_agent_begin)};
}

}  // namespace spyglass::cli

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The injected loader as bytes (loader.c and entry_*.S, linked flat and embedded by the build).
#pragma once

#include <cstddef>
#include <span>

namespace spyglass::attach {

std::span<const std::byte> loader_code();

/// Fixed doors into the code: where a borrowed thread enters, and `int start(LoaderBlock*)`.
inline constexpr size_t loader_entry_offset = 0;
inline constexpr size_t loader_start_offset = 16;

}  // namespace spyglass::attach

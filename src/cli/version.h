// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The version that the build was configured with.
#pragma once

namespace spyglass::cli {

inline constexpr char version[] = SPYGLASS_VERSION;

}  // namespace spyglass::cli

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Nanoseconds of CLOCK_MONOTONIC: the one clock that tracer and target share and nobody sets back.
// Any thread; vDSO, about 20 ns.
#pragma once

#include <cstdint>
#include <ctime>

namespace spyglass {

inline uint64_t monotonic_ns() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace spyglass

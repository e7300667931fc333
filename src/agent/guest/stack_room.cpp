// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/guest/stack_room.h"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace spyglass::agent {

namespace {

struct Bounds {
    uintptr_t lowest = 0;
    uintptr_t enough = 0;  // 0: not asked yet
};
thread_local constinit Bounds bounds;

constexpr size_t enough_bytes = 256 * 1024;

Bounds ask_system() {
    Bounds answer{0, 1};
    pthread_attr_t attributes;
    const int saved_errno = errno;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void* lowest = nullptr;
        size_t bytes = 0;
        if (pthread_attr_getstack(&attributes, &lowest, &bytes) == 0) {
            answer.lowest = reinterpret_cast<uintptr_t>(lowest);
            answer.enough = answer.lowest + std::min(bytes / 4, enough_bytes);
        }
        pthread_attr_destroy(&attributes);
    }
    errno = saved_errno;
    return answer;
}

}  // namespace

bool stack_is_short() {
    const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    if (bounds.enough == 0) bounds = ask_system();
    return here < bounds.enough && here >= bounds.lowest;
}

}  // namespace spyglass::agent

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/strategy.h"

namespace spyglass::attach {

std::span<const Strategy> strategies() {
    static constexpr Strategy table[] = {
        {"remote-debug", enter_by_remote_debugging,
         0},  // waits by itself: it can take its request back
        {"blocked-thread", enter_by_blocked_thread, 200},
        {"pending-call", enter_by_pending_call, 30},
    };
    return table;
}

}  // namespace spyglass::attach

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/guest/recursion_guard.h"

namespace spyglass::agent {

thread_local constinit bool inside_action = false;

}  // namespace spyglass::agent

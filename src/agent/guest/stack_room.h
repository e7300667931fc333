// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// How much of the calling thread's C stack is left. Threads that run on a stack of their own making
// (coroutine libraries that switch stacks) are never called short. Any thread; the first call of a
// thread asks the system, the others cost a thread-local load.
#pragma once

namespace spyglass::agent {

/// Less than a quarter is left, or less than 256 KiB.
bool stack_is_short();

}  // namespace spyglass::agent

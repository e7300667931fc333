// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The ways in: by the loader of attach/ (base/guest_image.h), by the interpreter's import system
// (remote debugging interface), by preloading (preload.cpp). All end in one session on one thread.
#pragma once

#include <cstdint>

namespace spyglass::agent {

/// Runs a session on the calling thread, which the image's state has been claimed for.
void run_session(int control_fd, uint64_t runtime);

/// Claims the image for a session that is started from inside; false: another is active.
bool claim_image();

/// Closes our copy of the tracer's end, if we made it: from then on its death is heard.
void release_peer();

/// A detached thread with every signal blocked. errno value, 0 on success.
int start_thread(void* (*body)(void*), void* argument);

}  // namespace spyglass::agent

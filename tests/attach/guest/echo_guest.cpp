// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The smallest guest: echoes bytes until its channel closes. Lets the attach tests run without the
// rest of the agent, and in processes without Python.
#include <unistd.h>

#include "base/guest_image.h"

namespace {

void run(int control_fd, uint64_t);

}  // namespace

extern "C" {
extern __attribute__((visibility("default"))) spyglass::GuestImage spyglass_guest_image;
constinit spyglass::GuestImage spyglass_guest_image{.run = run};
}

namespace {

void run(int control_fd, uint64_t) {
    char byte;
    while (read(control_fd, &byte, 1) == 1) {
        if (write(control_fd, &byte, 1) != 1) break;
    }
    close(control_fd);
    spyglass_guest_image.state.store(0, std::memory_order_release);
}

}  // namespace

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/lifecycle/fork_handlers.h"

#include <pthread.h>

#include "agent/lifecycle/entry.h"
#include "agent/lifecycle/session.h"
#include "base/guest_image.h"

extern "C" spyglass::GuestImage spyglass_guest_image;

namespace spyglass::agent {

namespace {

void before_fork() {
    if (Session* const session = active_session()) session->before_fork();
}

void after_fork_in_parent() {
    if (Session* const session = active_session()) session->after_fork_in_parent();
}

void after_fork_in_child() {
    Session* const session = active_session();
    if (!session) return;
    release_peer();
    session->after_fork_in_child();
    spyglass_guest_image.state.store(static_cast<uint32_t>(GuestState::idle));
}

}  // namespace

void install_fork_handlers() {
    static bool installed = false;
    if (installed) return;
    installed = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
}

}  // namespace spyglass::agent

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/lifecycle/entry.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>

#include "agent/lifecycle/fork_handlers.h"
#include "agent/lifecycle/session.h"
#include "agent/python/capi.h"
#include "base/guest_image.h"

extern "C" {
extern __attribute__((visibility("default"))) spyglass::GuestImage spyglass_guest_image;
constinit spyglass::GuestImage spyglass_guest_image{.run = spyglass::agent::run_session};
}

namespace spyglass::agent {

void run_session(int control_fd, uint64_t runtime) {
    prctl(PR_SET_NAME, "spyglass");
    install_fork_handlers();
    {
        Session session(control_fd);
        session.serve(runtime);
    }
    release_peer();
    spyglass_guest_image.state.store(static_cast<uint32_t>(GuestState::idle),
                                     std::memory_order_release);
}

void release_peer() {
    const int peer = spyglass_guest_image.peer_fd.exchange(-1);
    if (peer >= 0) close(peer);
}

bool claim_image() {
    auto idle = static_cast<uint32_t>(GuestState::idle);
    return spyglass_guest_image.state.compare_exchange_strong(
        idle, static_cast<uint32_t>(GuestState::active));
}

int start_thread(void* (*body)(void*), void* argument) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const int error = pthread_create(&thread, nullptr, body, argument);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error == 0) pthread_detach(thread);
    return error;
}

namespace {

void* run_imported(void* argument) {
    run_session(static_cast<int>(reinterpret_cast<intptr_t>(argument)), 0);
    return nullptr;
}

// The remote debugging script's import: there was no loader, so the socket pair is made here, and
// the tracer takes its end over. It closes our copy of that end through the first message.
void start_imported_session() {
    int sockets[2];
    if (!claim_image()) return;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0) {
        spyglass_guest_image.peer_fd.store(sockets[1]);
        if (start_thread(run_imported, reinterpret_cast<void*>(intptr_t{sockets[0]})) == 0) return;
        close(sockets[0]);
        close(sockets[1]);
        spyglass_guest_image.peer_fd.store(-1);
    }
    spyglass_guest_image.state.store(static_cast<uint32_t>(GuestState::idle));
}

PyModuleDef module_definition = {PyModuleDef_HEAD_INIT,
                                 "spyglass_agent",
                                 nullptr,
                                 0,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr};

}  // namespace

}  // namespace spyglass::agent

/// Called by `_imp.create_dynamic`; the module object is made from the definition and thrown away.
extern "C" __attribute__((visibility("default"))) PyObject* PyInit_spyglass_agent() {
    using namespace spyglass::agent;
    if (!python::load_api(0)) return nullptr;
    start_imported_session();
    return python::api.PyModuleDef_Init(&module_definition);
}

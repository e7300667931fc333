// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "session/signals.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace spyglass::session {

Signals::Signals() {
    signal(SIGPIPE, SIG_IGN);
    // A shell starts what runs in the background with SIGINT ignored; `kill -INT` must end a
    // session all the same. (SIGHUP stays ignored: that is what nohup is for.)
    interrupt_before_ = signal(SIGINT, SIG_DFL);
    sigset_t ending;
    sigemptyset(&ending);
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&ending, each);
    sigprocmask(SIG_BLOCK, &ending, &before_);
    fd_ = ScopedFd(signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK));
}

Signals::~Signals() {
    // One that came in the last moment has nothing left to end, and must not change our exit
    // status.
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) signal(each, SIG_IGN);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int Signals::take() {
    signalfd_siginfo info;
    return read(fd_.get(), &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                              : 0;
}

bool Signals::pending() const {
    pollfd ready{fd_.get(), POLLIN, 0};
    return poll(&ready, 1, 0) == 1;
}

void Signals::restore_in_child() const {
    signal(SIGPIPE, SIG_DFL);
    if (interrupt_before_ == SIG_IGN) signal(SIGINT, SIG_IGN);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace spyglass::session

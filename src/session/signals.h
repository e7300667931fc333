// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The signals that end a session, as a descriptor to poll: INT, TERM, HUP, QUIT. They stay blocked
// for as long as this object lives; SIGPIPE is ignored for good. Main thread, before others exist.
#pragma once

#include <csignal>

#include "base/scoped_fd.h"

namespace spyglass::session {

class Signals {
  public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    int fd() const { return fd_.get(); }
    /// The next pending one; 0: none.
    int take();
    /// A signal is pending, which the caller leaves for take().
    bool pending() const;
    /// In a child before exec: as it was before.
    void restore_in_child() const;

  private:
    ScopedFd fd_;
    sigset_t before_;
    void (*interrupt_before_)(int) = nullptr;  // disposition of SIGINT
};

}  // namespace spyglass::session

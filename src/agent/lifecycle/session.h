// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// One session in the target, driven by its control thread: it answers the tracer, and takes the GIL
// only to install, list, remove, or interrupt an action. Ends when the tracer says so, goes away,
// or exit() is called; or from the program's side, when the interpreter is about to finalise: then
// the main thread removes everything itself and the control thread never asks for the GIL again.
//
//   waiting --install--> live --remove | exit() | end of file--> over
//                          \--at exit of the program-----------> over
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "agent/backends/live/live_sink.h"
#include "agent/lifecycle/session_memory.h"
#include "agent/probes/engine.h"
#include "base/scoped_fd.h"
#include "wire/message.h"

namespace spyglass::agent {

class Session {
  public:
    explicit Session(int control_fd);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// The control thread's whole work. `runtime`: as for python::load_api.
    void serve(uint64_t runtime);

    /// The interpreter is about to finalise. Main thread, GIL held.
    void program_is_ending();
    /// exit() in an action. GIL held.
    void wake();

    // Around fork(), on the forking thread.
    void before_fork() { sending_.lock(); }
    void after_fork_in_parent() { sending_.unlock(); }
    void after_fork_in_child();

  private:
    bool begin(uint64_t runtime);
    void acknowledge();
    bool handle(const wire::Message& message);
    void install(const wire::Message& message);
    void list(const wire::Message& message);
    void end(wire::EndReason reason, bool run_end);
    void send(wire::MessageKind kind, std::span<const std::byte> body);
    void fail(const std::string& text);
    void send_ended(wire::EndReason reason, const std::vector<probes::ClauseTotals>& totals);
    void interrupt_long_actions();
    void release_program();

    ScopedFd control_;
    ScopedFd wake_;         // eventfd: exit(), end of the program
    ScopedFd reader_wake_;  // the tracer's eventfd
    SessionMemory memory_;
    std::unique_ptr<backends::LiveSink> sink_;
    wire::Hello hello_;
    std::mutex sending_;
    bool installed_ = false;
    bool over_ = false;
    bool program_released_ = false;
    std::atomic<uint32_t> program_over_{0};
    std::atomic<uint32_t> control_done_{0};
};

/// The session of this process; null when idle.
Session* active_session();

/// For a program that waits for its probes before its first line (preload.cpp): until they are
/// live, or the tracer is gone. No GIL.
void wait_until_released();

}  // namespace spyglass::agent

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// One tracing session seen from the tracer: hello, install or list, drain what arrives, end. Knows
// nothing of CPython; how the channel came to be (attach, launch) is the caller's. Everything that
// comes from the target is untrusted. One thread, one poll loop.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/scoped_fd.h"
#include "base/source_text.h"
#include "output/report.h"
#include "plan/plan.h"
#include "session/shared_memory.h"
#include "session/signals.h"
#include "wire/message.h"
#include "wire/ring_reader.h"

namespace spyglass::session {

struct Options {
    wire::Hello hello;
    bool quiet = false;
    bool child = false;  // the target was started by us: it gets the terminal's signals itself
};

/// What the session came to.
struct Outcome {
    bool was_live = false;
    bool program_may_run = false;    // a started program was let past its first line
    bool target_gone = false;        // it exited, or executed something else
    std::optional<int> exit_status;  // wait status, when known
    std::optional<wire::InstallFailed> install_failure;
    std::optional<wire::Ended> ended;
    std::string working_directory;  // the target's
    std::string listing;            // what `list` answered
    bool gave_up = false;           // a second CTRL-C
};

class TracingSession {
  public:
    TracingSession(pid_t pid, int pid_fd, int control, SharedMemory& memory, Signals& signals,
                   output::Report& report, Options options);

    Result<Outcome> trace(const plan::Program& program);
    Result<Outcome> list(const plan::ListingFilter& filter);

  private:
    Result<void> greet_and_ask(const std::vector<std::byte>& body);
    Result<Outcome> run(wire::MessageKind request, const std::vector<std::byte>& body);
    void handle(const wire::Message& message);
    void handle_signal(int number);
    void on_target_exit();
    void await_departure();
    enum class Moment : uint8_t { begin, hit, end };  // when a clause fires first

    void drain();
    void deliver(wire::RecordKind kind, uint16_t clause, std::string text);
    void show(wire::RecordKind kind, const std::string& text);
    void show_held();
    void say(const std::string& sentence);
    void say_live();
    void say_waiting();

    pid_t pid_;
    int pid_fd_;
    int control_;
    SharedMemory& memory_;
    Signals& signals_;
    output::Report& report_;
    Options options_;
    ScopedFd wake_;  // eventfd: the agent wrote a record while we slept
    wire::RingReader ring_;
    std::map<uint32_t, std::string> fragments_;  // by thread, of texts still arriving
    Outcome outcome_;
    wire::MessageKind request_ = wire::MessageKind::install;
    bool greeted_ = false;
    pid_t agent_thread_ = 0;  // as the target's pid namespace counts; 0: not heard
    bool said_waiting_ = false;
    bool said_live_ = false;
    std::vector<Moment> clause_moments_;
    std::vector<std::pair<wire::RecordKind, std::string>> held_;  // of END, before live was heard
    bool over_ = false;
    bool removing_ = false;
    uint32_t untraced_children_ = 0;
};

}  // namespace spyglass::session

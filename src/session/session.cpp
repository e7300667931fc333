// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "session/session.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "attach/guest_thread.h"
#include "base/clock.h"
#include "plan/encode.h"
#include "session/exit_status.h"

namespace spyglass::session {

namespace {

constexpr size_t max_text_bytes = 16u
                                  << 20;  // of one thread's fragments: a target may never end one
constexpr int answer_expected_ms = 200;
constexpr int wait_for_exit_ms = 2000;  // after "the program is ending"
constexpr uint64_t departure_patience_ns = 2'000'000'000;
constexpr uint32_t children_said_one_by_one = 10;

std::string text_of(const wire::Message& message) {
    return std::string(reinterpret_cast<const char*>(message.body.data()), message.body.size());
}

bool has_site(const plan::Clause& clause, plan::SiteKind kind) {
    for (const plan::Site& site : clause.sites) {
        if (site.kind == kind) return true;
    }
    return false;
}

}  // namespace

TracingSession::TracingSession(pid_t pid, int pid_fd, int control, SharedMemory& memory,
                               Signals& signals, output::Report& report, Options options)
    : pid_(pid),
      pid_fd_(pid_fd),
      control_(control),
      memory_(memory),
      signals_(signals),
      report_(report),
      options_(options),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      ring_(memory.header(), memory.ring(), wire::default_ring_bytes) {}

void TracingSession::say(const std::string& sentence) {
    if (!options_.quiet) report_.said(sentence);
}

// Both at once: a target that is still starting reads them when it is ready.
Result<void> TracingSession::greet_and_ask(const std::vector<std::byte>& body) {
    const int descriptors[] = {memory_.fd(), wake_.get()};
    auto greeted =
        wire::send(control_, wire::MessageKind::hello, wire::encode(options_.hello), descriptors);
    return greeted ? wire::send(control_, request_, body) : greeted;
}

Result<Outcome> TracingSession::trace(const plan::Program& program) {
    for (const plan::Clause& clause : program.clauses) {
        clause_moments_.push_back(has_site(clause, plan::SiteKind::begin) ? Moment::begin
                                  : has_site(clause, plan::SiteKind::end) ? Moment::end
                                                                          : Moment::hit);
    }
    return run(wire::MessageKind::install, plan::encode(program));
}

Result<Outcome> TracingSession::list(const plan::ListingFilter& filter) {
    return run(wire::MessageKind::list, plan::encode(filter));
}

Result<Outcome> TracingSession::run(wire::MessageKind request, const std::vector<std::byte>& body) {
    request_ = request;
    if (auto done = greet_and_ask(body); !done) {
        if (done.error().code() != "closed") return std::move(done).error();
        on_target_exit();
    }
    while (!over_) {
        drain();
        report_.flush();
        if (report_.broken() && !removing_) handle_signal(SIGINT);
        pollfd watched[] = {{control_, POLLIN, 0},
                            {signals_.fd(), POLLIN, 0},
                            {wake_.get(), POLLIN, 0},
                            {pid_fd_, POLLIN, 0}};
        const bool unanswered = !options_.child && !greeted_ && !said_waiting_;
        if (ring_.prepare_to_wait() || ring_.damaged()) {
            if (poll(watched, 4, unanswered ? answer_expected_ms : -1) == 0) say_waiting();
        }
        ring_.awake();
        uint64_t count = 0;
        if (watched[2].revents & POLLIN) {
            [[maybe_unused]] const ssize_t bytes = read(wake_.get(), &count, sizeof count);
        }
        if (watched[1].revents & POLLIN) handle_signal(signals_.take());
        if (watched[0].revents != 0) {
            auto message = wire::receive(control_);
            if (message) {
                handle(*message);
            } else {
                on_target_exit();
            }
        } else if (watched[3].revents != 0) {
            on_target_exit();
        }
    }
    drain();
    show_held();
    if (ring_.damaged())
        report_.said("The output of the target is damaged; the rest of it was left out.");
    if (untraced_children_ > children_said_one_by_one) {
        say(std::to_string(untraced_children_) + " children of the target were not traced.");
    }
    report_.flush();
    await_departure();
    return std::move(outcome_);
}

void TracingSession::handle(const wire::Message& message) {
    switch (message.kind) {
        case wire::MessageKind::hello_ack: {
            const auto ack = wire::decode_hello_ack(message.body);
            if (!ack) return;
            greeted_ = true;
            agent_thread_ = ack->control_thread;
            outcome_.working_directory = ack->working_directory;
            if (ack->interpreters > 1) {
                say(std::to_string(ack->interpreters - 1) +
                    " subinterpreters of the target are not traced: probes are in its main "
                    "interpreter.");
            }
            return;
        }
        case wire::MessageKind::live:
            outcome_.was_live = true;
            drain();  // what BEGIN printed came before
            say_live();
            outcome_.program_may_run =
                static_cast<bool>(wire::send(control_, wire::MessageKind::run, {}));
            return;
        case wire::MessageKind::install_failed:
            if (auto failed = wire::decode_install_failed(message.body))
                outcome_.install_failure = std::move(*failed);
            over_ = true;
            return;
        case wire::MessageKind::sites:
            outcome_.listing += text_of(message);
            return;
        case wire::MessageKind::list_end:
            over_ = true;
            return;
        case wire::MessageKind::ended:
            if (auto ended = wire::decode_ended(message.body)) {
                outcome_.was_live = true;
                outcome_.ended = std::move(*ended);
            }
            over_ = true;
            if (outcome_.ended && outcome_.ended->reason == wire::EndReason::program_ended)
                on_target_exit();
            return;
        case wire::MessageKind::forked:
            if (++untraced_children_ <= children_said_one_by_one) {
                say("Child " + text_of(message).substr(0, 20) + " of the target is not traced.");
            }
            return;
        case wire::MessageKind::notice:
            say(text_of(message));
            return;
        default:
            return;
    }
}

void TracingSession::say_live() {
    if (said_live_ || removing_) return;
    said_live_ = true;
    say("Probes installed. Hit CTRL-C to end...");
    show_held();
}

void TracingSession::say_waiting() {
    said_waiting_ = true;
    report_.said("Waiting for process " + std::to_string(pid_) +
                 ": a call in it holds the interpreter...");
}

void TracingSession::handle_signal(int number) {
    if (number == 0) return;
    if (options_.child && !report_.broken()) {
        // The terminal sends SIGINT and SIGQUIT to the program as well; others are handed on.
        if (number != SIGINT && number != SIGQUIT) kill(pid_, number);
        return;
    }
    if (removing_) {
        outcome_.gave_up = true;
        over_ = true;
        return;
    }
    removing_ = true;
    if (request_ == wire::MessageKind::list) {
        over_ = true;
        return;
    }
    say("Removing probes...");
    if (!wire::send(control_, wire::MessageKind::remove, {})) on_target_exit();
}

// The channel or the process has ended. What it had written is still to be read.
void TracingSession::on_target_exit() {
    over_ = true;
    outcome_.target_gone = true;
    drain();
    report_.flush();
    const bool ending = outcome_.ended.has_value();
    pollfd exited[] = {{pid_fd_, POLLIN, 0}, {signals_.fd(), POLLIN, 0}};
    // A child is waited for; it may go on for long after its interpreter said goodbye.
    while (options_.child && poll(exited, 2, -1) >= 0 && exited[0].revents == 0) {
        if (exited[1].revents & POLLIN) handle_signal(signals_.take());
    }
    if (!options_.child && poll(exited, 2, ending ? wait_for_exit_ms : 100) >= 0 &&
        exited[0].revents == 0) {
        if (!ending)
            say("The target executed another program, or ended its interpreter: tracing is over.");
        return;
    }
    outcome_.exit_status = exit_status_of(pid_, pid_fd_, options_.child);
    if (!options_.child) say(describe_exit(outcome_.exit_status));
}

// Whoever sees this command end may rely on the target being as it was: no thread, no descriptor.
void TracingSession::await_departure() {
    // A started program may be waiting for this end of the channel to close.
    if (options_.child || outcome_.target_gone || outcome_.gave_up) return;
    shutdown(control_, SHUT_WR);  // there is nothing more to say: an agent that waits for it goes
    const uint64_t deadline_ns = monotonic_ns() + departure_patience_ns;
    for (;;) {
        pollfd watched[] = {{control_, POLLIN, 0}, {pid_fd_, POLLIN, 0}};
        const uint64_t now_ns = monotonic_ns();
        const int left_ms =
            now_ns < deadline_ns ? static_cast<int>((deadline_ns - now_ns) / 1'000'000) : 0;
        if (poll(watched, 2, left_ms) <= 0) break;
        if (watched[1].revents != 0) return;
        if (!wire::receive(control_)) break;
    }
    if (agent_thread_ != 0 && !attach::await_guest_thread_end(pid_, agent_thread_, deadline_ns)) {
        say("The probes are removed; the agent's thread is still on its way out of the target.");
    }
}

void TracingSession::drain() {
    wire::Record record;
    constexpr int records_per_release = 256;
    int count = 0;
    while (ring_.next(record)) {
        std::string* pending = nullptr;
        const auto known = fragments_.find(record.thread);
        if (record.more || known != fragments_.end()) pending = &fragments_[record.thread];
        if (pending) {
            if (pending->size() < max_text_bytes) *pending += record.payload;
            if (!record.more) {
                deliver(record.kind, record.clause, std::move(*pending));
                fragments_.erase(record.thread);
            }
        } else {
            deliver(record.kind, record.clause, std::string(record.payload));
        }
        if (++count == records_per_release) {
            ring_.release();
            count = 0;
        }
    }
    ring_.release();
}

// The ring may be faster than the channel. A hit shows that the probes are live; what END prints
// may also come of an exit in BEGIN, and is held until it is known.
void TracingSession::deliver(wire::RecordKind kind, uint16_t untrusted_clause, std::string text) {
    const Moment moment = untrusted_clause < clause_moments_.size()
                              ? clause_moments_[untrusted_clause]
                              : Moment::begin;
    if (moment == Moment::hit) say_live();
    if (moment == Moment::end && !said_live_ && !removing_) {
        held_.emplace_back(kind, std::move(text));
    } else {
        show(kind, text);
    }
}

void TracingSession::show(wire::RecordKind kind, const std::string& text) {
    if (kind == wire::RecordKind::action_error) {
        report_.action_failed(text);
    } else {
        report_.printed(text, kind == wire::RecordKind::print_err);
    }
}

void TracingSession::show_held() {
    for (const auto& [kind, text] : std::exchange(held_, {})) show(kind, text);
}

}  // namespace spyglass::session

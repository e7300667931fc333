// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/lifecycle/session.h"

#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

#include "agent/lifecycle/at_exit.h"
#include "agent/lifecycle/entry.h"
#include "agent/python/capi.h"
#include "agent/python/gil.h"
#include "plan/encode.h"

namespace spyglass::agent {

using python::api;

namespace {

Session* active = nullptr;  // written by the control thread before anything can ask
std::atomic<uint32_t> program_released{0};

constexpr int tick_ms = 100;
constexpr int hello_patience_ms = 10'000;
constexpr size_t sites_message_bytes = 1 << 20;

void futex_wait(std::atomic<uint32_t>& word, uint32_t value, const timespec* timeout) {
    syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
}

void futex_set(std::atomic<uint32_t>& word) {
    word.store(1);
    syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX, nullptr, nullptr, 0);
}

bool is_finalising() {
    if (api.Py_IsFinalizing) return api.Py_IsFinalizing() != 0;
    return api._Py_IsFinalizing && api._Py_IsFinalizing() != 0;
}

uint32_t count_interpreters() {
    if (!api.PyInterpreterState_Head || !api.PyInterpreterState_Next) return 1;
    uint32_t count = 0;
    for (auto* each = api.PyInterpreterState_Head(); each; each = api.PyInterpreterState_Next(each))
        ++count;
    return count;
}

std::string working_directory() {
    char buffer[4096];
    return getcwd(buffer, sizeof buffer) ? buffer : "";
}

}  // namespace

Session* active_session() {
    return active;
}

void wait_until_released() {
    while (program_released.load() == 0) futex_wait(program_released, 0, nullptr);
}

Session::Session(int control_fd)
    : control_(control_fd), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    active = this;
}

Session::~Session() {
    active = nullptr;
}

void Session::wake() {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t count = write(wake_.get(), &one, sizeof one);
}

void Session::send(wire::MessageKind kind, std::span<const std::byte> body) {
    const std::lock_guard<std::mutex> lock(sending_);
    // A failure means that the tracer is gone, which the loop hears as end of file.
    (void)wire::send(control_.get(), kind, body);
}

void Session::fail(const std::string& text) {
    wire::InstallFailed failed;
    failed.text = text;
    send(wire::MessageKind::install_failed, wire::encode(failed));
}

bool Session::begin(uint64_t runtime) {
    // A tracer that asked for us and died, or went another way meanwhile, never says hello.
    pollfd spoken{control_.get(), POLLIN, 0};
    if (poll(&spoken, 1, hello_patience_ms) != 1) return false;
    auto first = wire::receive(control_.get());
    release_peer();
    if (!first || first->kind != wire::MessageKind::hello || first->descriptors.size() != 2)
        return false;
    auto hello = wire::decode_hello(first->body);
    if (!hello || hello->protocol != wire::protocol_version) {
        fail("this spyglass and the agent in the target are of different versions");
        return false;
    }
    hello_ = *hello;
    reader_wake_ = std::move(first->descriptors[1]);
    auto memory = SessionMemory::map(first->descriptors[0]);
    if (!memory) {
        fail(memory.error().message());
        return false;
    }
    memory_ = std::move(*memory);
    sink_ = std::make_unique<backends::LiveSink>(
        wire::RingWriter(memory_.header(), memory_.ring(), reader_wake_.get()));
    if (auto done = python::load_api(runtime); !done) {
        fail(done.error().message());
        return false;
    }
    if (!api.Py_IsInitialized() || is_finalising()) {
        fail(
            "the interpreter of the target is starting or ending and takes no probes; if it still "
            "runs in a "
            "moment, try again");
        return false;
    }
    return true;
}

// Under the GIL of the first request: a busy program gives it away once per switch interval, and
// asking twice would cost the person a second one.
void Session::acknowledge() {
    wire::HelloAck ack;
    ack.python_version_hex = api.version_hex;
    ack.working_directory = working_directory();
    ack.interpreters = count_interpreters();
    ack.control_thread = static_cast<pid_t>(syscall(SYS_gettid));  // the function is of glibc 2.30
    send(wire::MessageKind::hello_ack, wire::encode(ack));
}

void Session::serve(uint64_t runtime) {
    over_ = !begin(runtime);
    const bool begun = !over_;
    while (!over_) {
        pollfd watched[] = {{control_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
        const int ready = poll(watched, 2, installed_ ? tick_ms : -1);
        if (program_over_.load() != 0) break;
        if (watched[1].revents & POLLIN) {
            uint64_t count = 0;
            [[maybe_unused]] const ssize_t bytes = read(wake_.get(), &count, sizeof count);
            end(wire::EndReason::exit_called, true);
        } else if (watched[0].revents != 0) {
            auto message = wire::receive(control_.get());
            if (!message || !handle(*message)) end(wire::EndReason::removed, false);
        } else if (ready == 0) {
            interrupt_long_actions();
        }
    }
    if (begun && !program_released_ && program_over_.load() == 0) {
        // A program that waits for its probes must not run without them unless the tracer is gone.
        while (wire::receive(control_.get())) {
        }
    }
    if (sink_) sink_->close();
    release_program();
    futex_set(control_done_);
}

void Session::release_program() {
    program_released_ = true;
    futex_set(program_released);
}

void Session::interrupt_long_actions() {
    const uint64_t limit_ns = uint64_t{hello_.action_timeout_ms} * 1'000'000;
    if (!probes::action_overdue(limit_ns)) return;
    const python::GilHold gil;
    probes::interrupt_overdue(limit_ns);
}

bool Session::handle(const wire::Message& message) {
    switch (message.kind) {
        case wire::MessageKind::install:
            install(message);
            return true;
        case wire::MessageKind::list:
            list(message);
            return true;
        case wire::MessageKind::run:
            release_program();
            return true;
        case wire::MessageKind::remove:
            end(wire::EndReason::removed, true);
            return true;
        default:
            return false;
    }
}

void Session::install(const wire::Message& message) {
    auto program = plan::decode_program(message.body);
    if (!program) {
        fail(program.error().message());
        over_ = true;
        return;
    }
    probes::EngineOptions options;
    options.sink = sink_.get();
    options.arena = memory_.arena();
    options.max_map_keys = hello_.max_map_keys;
    options.drop_instead_of_wait = hello_.drop_instead_of_wait;
    options.on_exit_requested = [] {
        if (active) active->wake();
    };
    std::optional<probes::InstallFailure> failure;
    bool ended_by_begin = false;
    {
        const python::GilHold gil;
        acknowledge();
        failure = probes::install(*program, options);
        ended_by_begin = probes::ended_by_begin();
        if (!failure) register_at_exit();
    }
    if (failure) {
        const wire::InstallFailed failed{failure->clause, failure->line, failure->column,
                                         failure->in_predicate, failure->text};
        send(wire::MessageKind::install_failed, wire::encode(failed));
        over_ = true;
        return;
    }
    installed_ = true;
    if (ended_by_begin) return;  // never live; the loop hears of the exit
    send(wire::MessageKind::live, {});
}

void Session::list(const wire::Message& message) {
    auto filter = plan::decode_listing_filter(message.body);
    if (!filter) return fail(filter.error().message());
    Result<std::vector<std::string>> lines = Error("");
    {
        const python::GilHold gil;
        acknowledge();
        lines = probes::list_sites(*filter);
    }
    if (!lines) return fail(lines.error().message());
    std::string text;
    const auto flush = [&] {
        if (!text.empty()) send(wire::MessageKind::sites, std::as_bytes(std::span(text)));
        text.clear();
    };
    for (const std::string& line : *lines) {
        text += line + "\n";
        if (text.size() >= sites_message_bytes) flush();
    }
    flush();
    send(wire::MessageKind::list_end, {});
}

void Session::send_ended(wire::EndReason reason, const std::vector<probes::ClauseTotals>& totals) {
    wire::Ended ended;
    ended.reason = reason;
    for (const probes::ClauseTotals& each : totals) {
        ended.clause_hits.push_back(each.hits);
        ended.clause_sites.push_back(each.sites);
        ended.clause_errors.push_back(each.errors);
        ended.clause_skipped.push_back(each.skipped);
        ended.nearest_names.push_back(each.nearest_name);
    }
    send(wire::MessageKind::ended, wire::encode(ended));
}

void Session::end(wire::EndReason reason, bool run_end) {
    over_ = true;
    std::vector<probes::ClauseTotals> totals;
    if (installed_) {
        const python::GilHold gil;
        if (program_over_.load() != 0) return;  // the program was faster
        unregister_at_exit();
        totals = probes::remove(run_end);
    }
    send_ended(reason, totals);
}

void Session::program_is_ending() {
    const std::vector<probes::ClauseTotals> totals = probes::remove(true);
    send_ended(wire::EndReason::program_ended, totals);
    program_over_.store(1);
    wake();
    // The control thread may be waiting for the GIL just now: let it pass, and be gone before the
    // interpreter is.
    PyThreadState* const state = api.PyEval_SaveThread();
    const timespec patience{2, 0};
    if (control_done_.load() == 0) futex_wait(control_done_, 0, &patience);
    api.PyEval_RestoreThread(state);
}

void Session::after_fork_in_child() {
    sending_.unlock();
    const std::string pid = std::to_string(getpid());
    (void)wire::send_text(control_.get(), wire::MessageKind::forked, pid);
    probes::abandon_after_fork();
    python::forget_gil_wait();
    control_.reset();
    wake_.reset();
    reader_wake_.reset();
    active = nullptr;
}

}  // namespace spyglass::agent

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The default command: program text to plan, a channel to the target (attach or launch), a session.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <optional>

#include "attach/attach.h"
#include "cli/agent_bytes.h"
#include "cli/commands/commands.h"
#include "cli/options.h"
#include "cli/source_file.h"
#include "language/language.h"
#include "output/diagnostics.h"
#include "session/launch.h"
#include "session/listing.h"
#include "session/session.h"
#include "session/summary.h"

namespace spyglass::cli {

namespace {

enum Status { done = 0, session_failed = 1, bad_program = 2 };

void say(const std::string& text) {
    std::cerr << text << std::flush;
}

// Where the program came from, with its text.
Result<SourceText> read_program(const TraceOptions& options) {
    if (options.has_program_text) return SourceText("-e", options.program_text);
    if (options.has_listing) return SourceText("-l", options.listing);
    return read_source(options.program_file);
}

struct Target {
    pid_t pid = 0;
    ScopedFd pid_fd;
    ScopedFd control;
    ScopedFd agent_file;
    bool is_child = false;
};

Result<Target> attach_to(const TraceOptions& options, const std::string& program_name,
                         session::Signals& signals) {
    attach::Request request;
    request.pid = options.pid;
    request.guest_bytes = agent_bytes();
    request.only_strategy = options.only_strategy;
    request.interrupted = [&signals] { return signals.pending(); };
    if (options.verbose) {
        request.on_progress = [&program_name](const std::string& line) {
            say(program_name + ": " + line + "\n");
        };
    }
    request.on_waiting = [](const std::string& line) { say(line + "\n"); };
    auto attachment = attach::attach(request);
    if (!attachment) return std::move(attachment).error();
    if (options.verbose) {
        say(program_name + ": attached by " + attachment->strategy + ", a thread was held for " +
            std::to_string(attachment->stopped_us) + " us\n");
    }
    return Target{
        attachment->pid, std::move(attachment->pid_fd), std::move(attachment->control), {}, false};
}

Result<Target> start(const TraceOptions& options, session::Signals& signals) {
    std::vector<std::string> command = options.command;
    if (command.empty()) {
        auto words = session::split_words(options.script);
        if (!words) return std::move(words).error().code("command-line");
        command = std::move(*words);
        command.insert(command.begin(), options.python);
    }
    auto launched = session::launch(command, agent_bytes(), signals);
    if (!launched) return std::move(launched).error();
    return Target{launched->pid, std::move(launched->pid_fd), std::move(launched->control),
                  std::move(launched->agent_file), true};
}

// A mistake that only the target's Python could see, at its place in the program's text.
Diagnostic place_failure(const SourceText& source, const plan::Program& program,
                         const wire::InstallFailed& failure) {
    const plan::Clause& clause = program.clauses[failure.clause];
    Diagnostic diagnostic;
    diagnostic.message = failure.text;
    if (failure.in_predicate) {
        diagnostic.location = {clause.action_line, 1};
        diagnostic.message += " (in the predicate)";
        return diagnostic;
    }
    const uint32_t line = failure.line == 0 ? 1 : failure.line;
    diagnostic.location.line = clause.action_line + line - 1;
    // The action was dedented: find where its line begins in the text as written.
    const SourceText action("", clause.action);
    const std::string_view dedented = action.line(line);
    const size_t at = source.line(diagnostic.location.line).find(dedented);
    const size_t margin = at == std::string_view::npos ? 0 : at;
    diagnostic.location.column =
        static_cast<uint32_t>(margin) + (failure.column == 0 ? 1 : failure.column);
    return diagnostic;
}

class TraceCommand {
  public:
    TraceCommand(const std::string& program_name, TraceOptions options)
        : program_name_(program_name), options_(std::move(options)) {}

    int run() {
        auto source = read_program(options_);
        if (!source) return fail(source.error(), bad_program);
        if (!understand(*source)) return bad_program;
        if (!open_output()) return bad_program;
        session::Signals signals;
        auto memory =
            session::SharedMemory::make(wire::default_ring_bytes, wire::default_arena_bytes);
        if (!memory) return fail(memory.error(), session_failed);
        auto target = options_.pid != 0 ? attach_to(options_, program_name_, signals)
                                        : start(options_, signals);
        if (!target) {
            const bool usage = target.error().code() == "no-such-process" ||
                               target.error().code() == "command-line";
            return fail(target.error(), usage ? bad_program : session_failed);
        }
        return trace(*source, *target, *memory, signals);
    }

  private:
    int fail(const Error& error, int status) {
        say(output::describe(program_name_, error));
        return status;
    }

    bool understand(const SourceText& source) {
        Diagnostics diagnostics;
        if (options_.has_listing) {
            auto parsed = language::parse_listing_filter(source);
            filter_ = std::move(parsed.filter);
            diagnostics = std::move(parsed.diagnostics);
        } else {
            auto parsed = language::parse(source);
            program_ = std::move(parsed.program);
            diagnostics = std::move(parsed.diagnostics);
        }
        if (!diagnostics.empty()) say(output::describe(program_name_, source, diagnostics));
        return !has_errors(diagnostics);
    }

    bool open_output() {
        if (options_.output_file.empty()) return true;
        output_file_ = ScopedFd(
            open(options_.output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
        if (output_file_) return true;
        fail(Error::from_errno("open " + options_.output_file, errno), bad_program);
        return false;
    }

    int trace(const SourceText& source, Target& target, session::SharedMemory& memory,
              session::Signals& signals) {
        output::Stream out(output_file_ ? output_file_.get() : STDOUT_FILENO);
        output::Stream messages(STDERR_FILENO);
        const auto report = options_.json ? output::make_json_report(out, messages)
                                          : output::make_text_report(out, messages);
        session::Options session_options;
        session_options.hello.action_timeout_ms = options_.action_timeout_ms;
        session_options.hello.max_map_keys = options_.map_size;
        session_options.hello.drop_instead_of_wait = options_.drop;
        session_options.quiet = options_.quiet || options_.has_listing;
        session_options.child = target.is_child;
        session::TracingSession tracing(target.pid, target.pid_fd.get(), target.control.get(),
                                        memory, signals, *report, session_options);
        auto outcome = options_.has_listing ? tracing.list(filter_) : tracing.trace(program_);
        if (!outcome) return fail(std::move(outcome).error(), session_failed);
        int status = conclude(source, *outcome, *report, memory);
        if (target.is_child) status = end_child(target, *outcome, status);
        return status;
    }

    int conclude(const SourceText& source, const session::Outcome& outcome, output::Report& report,
                 const session::SharedMemory& memory) {
        if (outcome.install_failure) {
            const wire::InstallFailed& failure = *outcome.install_failure;
            if (failure.clause >= program_.clauses.size())
                return fail(Error(failure.text), session_failed);
            say(output::describe(program_name_, source, place_failure(source, program_, failure)));
            return bad_program;
        }
        if (options_.has_listing) {
            if (outcome.target_gone) return fail(Error("the target exited"), session_failed);
            show_listing(outcome, report);
            return done;
        }
        session::show_maps(report, memory);
        session::show_losses(report, memory, program_, outcome, options_.quiet);
        report.flush();
        if (!outcome.was_live && outcome.target_gone && options_.pid != 0) {
            return fail(Error("the target exited before the probes were live"), session_failed);
        }
        return outcome.gave_up ? session_failed : done;
    }

    void show_listing(const session::Outcome& outcome, output::Report& report) {
        if (filter_.probe == "line") {
            for (const std::string& line : session::list_lines(
                     options_.pid, outcome.listing, outcome.working_directory, filter_)) {
                report.site(line);
            }
        } else {
            const SourceText lines("", outcome.listing);
            for (uint32_t i = 1; !lines.line(i).empty(); ++i)
                report.site(std::string(lines.line(i)));
        }
        report.flush();
    }

    // The program's own status is ours; one that must not go on is ended.
    int end_child(const Target& target, const session::Outcome& outcome, int status) {
        std::optional<int> wait_status = outcome.exit_status;
        const bool still_runs = !outcome.target_gone;
        if (still_runs) {
            // Before its first line nothing of the program could handle a signal, or need to; the
            // channel stays open until then, because its end would let the program run.
            kill(target.pid, outcome.program_may_run ? SIGTERM : SIGKILL);
            int reaped = 0;
            if (waitpid(target.pid, &reaped, 0) == target.pid) wait_status = reaped;
            return status;
        }
        if (!outcome.was_live && wait_status && !outcome.ended) {
            say(program_name_ + ": the command ended without running Python\n");
        }
        if (!wait_status) return status;
        return WIFSIGNALED(*wait_status) ? 128 + WTERMSIG(*wait_status) : WEXITSTATUS(*wait_status);
    }

    std::string program_name_;
    TraceOptions options_;
    plan::Program program_;
    plan::ListingFilter filter_;
    ScopedFd output_file_;
};

}  // namespace

int run_trace(const Invocation& invocation) {
    auto parsed = parse_trace_options(invocation.program_name, invocation.arguments);
    if (const auto* exit_now = std::get_if<ExitNow>(&parsed)) {
        (exit_now->to_errors ? std::cerr : std::cout) << exit_now->text << std::flush;
        return exit_now->status;
    }
    return TraceCommand(invocation.program_name, std::move(*std::get_if<TraceOptions>(&parsed)))
        .run();
}

}  // namespace spyglass::cli

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

#include "cli/version.h"
#include "language/vocabulary.h"

namespace spyglass::cli {

namespace {

std::string usage(const std::string& name) {
    return "usage: " + name + " [-h] [--version] (-p PID | -c PYPROG | -- COMMAND ...)\n" +
           std::string(name.size() + 8, ' ') +
           "(-e PROG_TEXT | -f FILE | -l PROBE_FILTER) [options]\n";
}

ExitNow usage_error(const std::string& name, const std::string& what) {
    return {2, usage(name) + name + ": error: " + what + "\n", true};
}

std::string help(const std::string& name, const CLI::App& app) {
    std::string text = usage(name) + "\nSee inside running Python programs.\n";
    // Of the library's own page only the list of options is ours.
    const std::string page = app.help("", CLI::AppFormatMode::Sub);
    constexpr std::string_view heading = "Options:";
    text += "\noptions:" + page.substr(page.find(heading) + heading.size());
    text += "\n" + language::language_help();
    text += "\nother commands: " + name + " ps, " + name + " doctor -p PID, " + name +
            " config check FILE, " + name + " help\n";
    return text;
}

// "500ms", "2s", "3": milliseconds.
bool parse_duration(const std::string& text, uint32_t& ms) {
    char* end = nullptr;
    const double number = strtod(text.c_str(), &end);
    const std::string unit = end;
    const double factor = unit == "ms"                  ? 1
                          : unit == "s" || unit.empty() ? 1000
                          : unit == "m"                 ? 60'000
                                                        : 0;
    if (end == text.c_str() || factor == 0 || !(number > 0) || number * factor > 4e9) return false;
    ms = static_cast<uint32_t>(number * factor);
    return ms > 0;
}

}  // namespace

std::variant<TraceOptions, ExitNow> parse_trace_options(const std::string& name,
                                                        std::vector<std::string> arguments) {
    TraceOptions options;
    const auto separator = std::find(arguments.begin(), arguments.end(), "--");
    if (separator != arguments.end()) {
        options.command.assign(separator + 1, arguments.end());
        arguments.erase(separator, arguments.end());
    }
    CLI::App app;
    app.set_help_flag();
    std::vector<std::string> pids;
    std::string timeout;
    std::string format = "text";
    bool wants_help = false;
    bool wants_version = false;
    app.add_flag("-h,--help", wants_help, "show this help and exit");
    app.add_flag("--version", wants_version, "show the version and exit");
    auto* const pid = app.add_option("-p", pids, "attach to the process PID")
                          ->type_name("PID")
                          ->expected(1)
                          ->allow_extra_args(false);
    auto* const script =
        app.add_option("-c", options.script, "run a Python script with its arguments")
            ->type_name("PYPROG");
    auto* const program =
        app.add_option("-e", options.program_text, "the probe program")->type_name("PROG_TEXT");
    auto* const file = app.add_option("-f", options.program_file,
                                      "read the probe program from FILE (- for standard input)")
                           ->type_name("FILE");
    auto* const listing = app.add_option("-l", options.listing, "list probe sites and exit")
                              ->type_name("PROBE_FILTER");
    app.add_option("-o", options.output_file, "write output to FILE")->type_name("FILE");
    app.add_option("--format", format, "text or json (one object per line)")->type_name("FORMAT");
    app.add_flag("-q", options.quiet, "say nothing but results and failures");
    app.add_flag("-v", options.verbose, "say how the target is entered");
    app.add_option("--python", options.python, "the interpreter for -c")->type_name("PATH");
    app.add_option("--action-timeout", timeout, "how long an action may run (default 1s)")
        ->type_name("TIME");
    app.add_option("--map-size", options.map_size, "how many keys maps may hold (default 1048576)")
        ->type_name("N");
    app.add_flag("--drop", options.drop, "never wait for a slow reader; drop and count");
    app.add_option("--strategy", options.only_strategy)->group("");
    std::reverse(arguments.begin(), arguments.end());
    try {
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        return usage_error(name, error.what());
    }
    if (wants_help) return ExitNow{0, help(name, app), false};
    if (wants_version) return ExitNow{0, std::string(version) + "\n", false};

    const bool has_command = separator != arguments.end() || !options.command.empty();
    const int targets =
        (pid->count() ? 1 : 0) + (script->count() ? 1 : 0) + (options.command.empty() ? 0 : 1);
    if (targets == 0) {
        return usage_error(name, has_command && !pid->count()
                                     ? "one of the arguments -p -c -- COMMAND is required"
                                     : "one of the arguments -c -p is required");
    }
    if (targets > 1)
        return usage_error(name,
                           "argument -c: not allowed with argument -p: one target at a time (-p, "
                           "-c or -- COMMAND)");
    if (pids.size() > 1) return usage_error(name, "argument -p: one process at a time");
    const int actions =
        (program->count() ? 1 : 0) + (file->count() ? 1 : 0) + (listing->count() ? 1 : 0);
    if (actions == 0) return usage_error(name, "one of the arguments -e -f -l is required");
    if (actions > 1)
        return usage_error(name, "argument -l: not allowed with argument -e: one of -e, -f and -l");
    if (pid->count()) {
        char* end = nullptr;
        const long number = strtol(pids.front().c_str(), &end, 10);
        if (*end != '\0' || end == pids.front().c_str()) {
            return usage_error(name, "argument -p: invalid int value: '" + pids.front() + "'");
        }
        if (number <= 0 || number > INT32_MAX)
            return ExitNow{2, name + ": error: no such process: " + pids.front() + "\n", true};
        options.pid = static_cast<pid_t>(number);
    }
    if (script->count() && options.script.find_first_not_of(" \t\n") == std::string::npos) {
        return usage_error(name, "argument -c: the command is empty");
    }
    if (!timeout.empty() && !parse_duration(timeout, options.action_timeout_ms)) {
        return usage_error(name,
                           "argument --action-timeout: expected a time such as 500ms or 2s, got '" +
                               timeout + "'");
    }
    if (format != "text" && format != "json") {
        return usage_error(name, "argument --format: expected text or json, got '" + format + "'");
    }
    options.json = format == "json";
    options.has_program_text = program->count() != 0;
    options.has_listing = listing->count() != 0;
    return options;
}

}  // namespace spyglass::cli

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <cstdio>

namespace spyglass::cli {

CommandLine::CommandLine(const Invocation& invocation, const std::string& command,
                         const std::string& summary)
    : invocation_(invocation),
      name_(invocation.program_name + " " + command),
      app_(summary, name_) {
    app_.set_help_flag("-h,--help", "show this help and exit");
}

void CommandLine::add_format(bool& json) {
    app_.add_option_function<std::string>(
            "--format", [&json](const std::string& format) { json = format == "json"; },
            "text, or json: one object per line")
        ->check(CLI::IsMember({"text", "json"}))
        ->type_name("FORMAT");
}

void CommandLine::add_pid(pid_t& pid) {
    app_.add_option("-p", pid, "the process")
        ->required()
        ->check(CLI::PositiveNumber)
        ->type_name("PID");
}

std::optional<int> CommandLine::parse() {
    std::vector<std::string> reversed(invocation_.arguments.rbegin(), invocation_.arguments.rend());
    try {
        app_.parse(std::move(reversed));
        return std::nullopt;
    } catch (const CLI::CallForHelp&) {
        fputs(app_.help().c_str(), stdout);
        return 0;
    } catch (const CLI::ParseError& error) {
        return mistake(error.what());
    }
}

int CommandLine::mistake(const std::string& what) const {
    fprintf(stderr, "%s: error: %s\n%s -h shows how it is used\n", name_.c_str(), what.c_str(),
            name_.c_str());
    return 2;
}

}  // namespace spyglass::cli

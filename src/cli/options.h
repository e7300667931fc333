// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The command line of `trace`, which is the default command. Pure: reads nothing, prints nothing.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <sys/types.h>

namespace spyglass::cli {

struct TraceOptions {
    pid_t pid = 0;                     // 0: start a command
    std::vector<std::string> command;  // behind `--`
    std::string script;                // -c, as written
    std::string python = "python3";
    std::string program_text;  // -e
    std::string program_file;  // -f
    std::string listing;       // -l
    bool has_program_text = false;
    bool has_listing = false;
    std::string output_file;
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    bool drop = false;
    uint32_t action_timeout_ms = 1000;
    uint64_t map_size = 1'048'576;
    std::string only_strategy;  // hidden: tests
};

struct ExitNow {
    int status = 0;
    std::string text;
    bool to_errors = false;
};

std::variant<TraceOptions, ExitNow> parse_trace_options(const std::string& program_name,
                                                        std::vector<std::string> arguments);

}  // namespace spyglass::cli

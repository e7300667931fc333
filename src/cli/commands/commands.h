// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The table of commands: `spyglass NAME …`. Without a name: trace. Each returns the exit status.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spyglass::cli {

struct Invocation {
    std::string program_name;            // as it was called: messages begin with it
    std::vector<std::string> arguments;  // without the command's name
};

struct Command {
    std::string_view name;
    std::string_view summary;
    int (*run)(const Invocation&);
};
std::span<const Command> commands();

int run_trace(const Invocation& invocation);
int run_ps(const Invocation& invocation);
int run_doctor(const Invocation& invocation);
int run_config(const Invocation& invocation);
int run_help(const Invocation& invocation);

}  // namespace spyglass::cli

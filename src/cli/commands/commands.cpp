// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/commands.h"

#include <cstdio>

namespace spyglass::cli {

std::span<const Command> commands() {
    static constexpr Command table[] = {
        {"trace", "run a probe program on a process or a command (the default)", run_trace},
        {"ps", "list Python processes and whether they can be attached", run_ps},
        {"doctor", "check every precondition of attaching to a process", run_doctor},
        {"config", "check a trace configuration, explain what it does to a function", run_config},
        {"help", "list the commands", run_help},
    };
    return table;
}

int run_help(const Invocation& invocation) {
    printf("usage: %s [COMMAND] ...\n\n", invocation.program_name.c_str());
    for (const Command& each : commands()) {
        printf("  %-10s%s\n", std::string(each.name).c_str(), std::string(each.summary).c_str());
    }
    printf("\n%s -h explains tracing and the probe language.\n", invocation.program_name.c_str());
    return 0;
}

}  // namespace spyglass::cli

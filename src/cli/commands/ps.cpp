// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>

#include "attach/target.h"
#include "cli/command_line.h"

namespace spyglass::cli {

namespace {

void print_json(const std::vector<attach::ProcessSummary>& processes) {
    for (const attach::ProcessSummary& each : processes) {
        const nlohmann::json object = {{"pid", each.pid},
                                       {"version", each.version},
                                       {"threads", each.threads},
                                       {"command", each.command_line},
                                       {"attachable", each.refusal.empty()},
                                       {"refusal", each.refusal}};
        printf("%s\n",
               object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    }
}

void print_text(const std::vector<attach::ProcessSummary>& processes) {
    printf("%8s  %-9s %7s  %s\n", "PID", "VERSION", "THREADS", "COMMAND");
    for (const attach::ProcessSummary& each : processes) {
        printf("%8d  %-9s %7u  %s\n", each.pid, each.version.empty() ? "?" : each.version.c_str(),
               each.threads, each.command_line.c_str());
        if (!each.refusal.empty())
            printf("%28s  cannot be attached: %s\n", "", each.refusal.c_str());
    }
}

}  // namespace

int run_ps(const Invocation& invocation) {
    CommandLine command_line(invocation, "ps",
                             "Lists Python processes and whether they can be attached.");
    bool json = false;
    command_line.add_format(json);
    if (const auto status = command_line.parse()) return *status;
    const auto processes = attach::list_python_processes();
    json ? print_json(processes) : print_text(processes);
    return 0;
}

}  // namespace spyglass::cli

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>

#include "attach/target.h"
#include "cli/command_line.h"

namespace spyglass::cli {

namespace {

void print_check(const attach::Check& check, bool json) {
    if (json) {
        const nlohmann::json object = {{"check", check.id},
                                       {"passed", check.passed},
                                       {"finding", check.finding},
                                       {"remedy", check.remedy}};
        printf("%s\n",
               object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        return;
    }
    printf("%s %s\n", check.passed ? "[ok]  " : "[FAIL]", check.finding.c_str());
    if (!check.remedy.empty()) printf("       %s\n", check.remedy.c_str());
}

}  // namespace

int run_doctor(const Invocation& invocation) {
    CommandLine command_line(invocation, "doctor",
                             "Checks every precondition of attaching to a process.");
    pid_t pid = 0;
    bool json = false;
    command_line.add_pid(pid);
    command_line.add_format(json);
    if (const auto status = command_line.parse()) return *status;
    bool healthy = true;
    for (const attach::Check& check : attach::examine(pid)) {
        healthy = healthy && check.passed;
        print_check(check, json);
    }
    if (!json)
        printf(healthy ? "Process %d can be attached.\n" : "Process %d cannot be attached.\n", pid);
    return healthy ? 0 : 1;
}

}  // namespace spyglass::cli

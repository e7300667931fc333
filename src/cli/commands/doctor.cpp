// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "attach/target.h"
#include "cli/commands/commands.h"

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
    pid_t pid = 0;
    bool json = false;
    const auto& arguments = invocation.arguments;
    for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
        if (arguments[i] == "-p") pid = atoi(arguments[i + 1].c_str());
        if (arguments[i] == "--format") json = arguments[i + 1] == "json";
    }
    if (pid <= 0 || arguments.size() % 2 != 0) {
        fprintf(stderr, "usage: %s doctor -p PID [--format json]\n",
                invocation.program_name.c_str());
        return 2;
    }
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

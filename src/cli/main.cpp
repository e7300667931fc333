// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// `spyglass`, also called as `pymontrace`: the name decides nothing but how messages begin.
#include <string>

#include "cli/commands/commands.h"

int main(int argc, char** argv) {
    using namespace spyglass::cli;
    Invocation invocation;
    const std::string path = argc > 0 ? argv[0] : "spyglass";
    invocation.program_name = path.substr(path.rfind('/') + 1);
    invocation.arguments.assign(argv + 1, argv + argc);
    if (!invocation.arguments.empty()) {
        for (const Command& command : commands()) {
            if (command.name != invocation.arguments.front()) continue;
            invocation.arguments.erase(invocation.arguments.begin());
            return command.run(invocation);
        }
    }
    return run_trace(invocation);
}

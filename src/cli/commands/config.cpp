// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "cli/command_line.h"
#include "cli/source_file.h"
#include "config/check.h"
#include "config/explain.h"
#include "config/parser.h"
#include "output/diagnostics.h"

namespace spyglass::cli {

namespace {

enum Status { clean = 0, mistaken = 2 };

int check(const std::string& program_name, const std::string& path, const std::string& name) {
    const auto source = read_source(path);
    if (!source) {
        fputs(output::describe(program_name, source.error()).c_str(), stderr);
        return mistaken;
    }
    config::Parsed parsed = config::parse(*source);
    Diagnostics& diagnostics = parsed.diagnostics;
    config::Configuration configuration;
    if (!has_errors(diagnostics)) {
        config::Applied applied = config::apply_edits(parsed.edits, configuration);
        for (const Diagnostics& more :
             {std::move(applied.warnings), config::check(parsed.edits, configuration)})
            diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    }
    fputs(output::describe(program_name, *source, diagnostics).c_str(), stderr);
    if (has_errors(diagnostics)) return mistaken;
    if (name.empty()) {
        printf("%s: %zu sections, no errors\n", source->name().c_str(), parsed.edits.size());
        return clean;
    }
    const auto explanation = config::explain(configuration, name);
    if (!explanation) {
        fputs(output::describe(program_name, explanation.error()).c_str(), stderr);
        return mistaken;
    }
    fputs(explanation->c_str(), stdout);
    return clean;
}

}  // namespace

int run_config(const Invocation& invocation) {
    CommandLine command_line(invocation, "config", "Works on trace configurations.");
    CLI::App* const checking = command_line.options().add_subcommand(
        "check", "Reports every mistake in a configuration file.");
    command_line.options().require_subcommand(1);
    std::string path;
    std::string name;
    checking->add_option("FILE", path, "the configuration (- for standard input)")->required();
    checking
        ->add_option("--explain", name,
                     "show the settings of one function, and from which line each comes")
        ->type_name("NAME");
    // The library would only say that a subcommand is missing.
    if (!invocation.arguments.empty() && invocation.arguments[0][0] != '-' &&
        invocation.arguments[0] != checking->get_name())
        return command_line.mistake("'" + invocation.arguments[0] + "' is not a subcommand");
    if (const auto status = command_line.parse()) return *status;
    return check(invocation.program_name, path, name);
}

}  // namespace spyglass::cli

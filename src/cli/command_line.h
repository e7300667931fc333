// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the command lines of all commands but `trace` share: `-h` prints a page and ends with 0, a
// mistake prints one line and the way to that page and ends with 2. (The pages of `trace` keep the
// wording that users of the reference know: options.h.)
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

#include "cli/commands/commands.h"

namespace spyglass::cli {

class CommandLine {
  public:
    CommandLine(const Invocation& invocation, const std::string& command,
                const std::string& summary);

    /// To add options to, before `parse`.
    CLI::App& options() { return app_; }
    /// `--format text|json`, where a command has both.
    void add_format(bool& json);
    /// `-p PID`.
    void add_pid(pid_t& pid);

    /// The status to end with, if the command is not to run.
    [[nodiscard]] std::optional<int> parse();
    /// For a mistake that the options alone do not show: prints it, and is the status to end with.
    [[nodiscard]] int mistake(const std::string& what) const;

  private:
    const Invocation& invocation_;
    std::string name_;  // "spyglass doctor"
    CLI::App app_;
};

}  // namespace spyglass::cli

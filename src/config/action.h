// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Modes, and what happens when a trace window ends: the value of `trace_mode_after`. Any thread;
// owned.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "schema/domain.h"

namespace spyglass::config {

inline constexpr size_t domain_count = 3;

enum class Mode : uint8_t { off, standby, monitoring, tracing };
std::string_view name_of(Mode mode);
/// "OFF", "STANDBY", "MONITORING", "TRACING", in any case.
std::optional<Mode> find_mode(std::string_view word);

/// Which domains change to what; the others stay.
using ModeChanges = std::array<std::optional<Mode>, domain_count>;

struct Introspect {
    double seconds = 0;  // > 0: wait at most so long; 0: do not wait; -1: until the signal
    std::string script;  // empty: none
    ModeChanges resume;
    bool operator==(const Introspect&) const = default;
};
using Action = std::variant<ModeChanges, Introspect>;

/// Where in the value the mistake is, and what it is.
struct ActionMistake {
    size_t offset;
    size_t length;
    std::string message;
    std::string hint;
};

/// `domain`: what a bare MODE means; none: all domains.
std::variant<Action, ActionMistake> parse_action(std::string_view text,
                                                 std::optional<schema::DomainId> domain);

/// As it is written in a file, with every domain named.
std::string text_of(const Action& action);

}  // namespace spyglass::config

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a section names the functions it is for: "Python:solver.py:Solver.*", "0x401234". Any thread;
// owned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "schema/domain.h"

namespace spyglass::config {

/// What is known of a traced function; views of the caller's.
struct FunctionName {
    schema::DomainId domain = schema::DomainId::python;
    std::string_view qualified;  // "Solver.run", "main.<locals>.work"
    std::string_view module;     // "solver"; "__main__" for the main script; may be empty
    std::string_view main_stem;  // "app" if this is the main script app.py, else empty
    std::string_view file;       // base name: "solver.py"
    uint32_t line = 0;           // of its `def` or `lambda`
    uint64_t address = 0;        // domains whose regions are addresses
};

struct Region {
    std::optional<schema::DomainId> domain;  // none: an address, of whichever domain
    std::string file;                        // "" or a base name
    std::string name;                        // "" for an address
    uint32_t line = 0;                       // of a lambda; 0: any
    uint64_t address = 0;
    bool is_pattern = false;

    bool operator==(const Region&) const = default;
    /// As it is written: "Python:solver.py:Solver.run".
    std::string text() const;
};

/// Higher is more specific; 0: not this function. Among patterns, more literal characters win.
uint32_t how_specifically(const Region& region, const FunctionName& function);

struct RegionMistake {
    std::string message;
    std::string hint;
};
std::variant<Region, RegionMistake> parse_region(std::string_view text);

}  // namespace spyglass::config

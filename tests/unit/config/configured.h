// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of this room share: text to configuration, and what comes of it for a function.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "config/edits.h"
#include "config/parser.h"
#include "config/resolver.h"

namespace spyglass::config {

inline Parsed parsed(const std::string& text) {
    return parse(SourceText("trace.txt", text));
}

/// Fails the test when the text has a mistake.
inline Configuration configured(const std::string& text, Configuration on = {}) {
    const Parsed result = parsed(text);
    for (const Diagnostic& each : result.diagnostics)
        ADD_FAILURE() << "line " << each.location.line << ": " << each.message << " in\n" << text;
    const Applied applied = apply_edits(result.edits, on);
    EXPECT_TRUE(applied.warnings.empty()) << text;
    return on;
}

inline FunctionName function(std::string_view qualified, std::string_view module = "m",
                             std::string_view file = "m.py", uint32_t line = 1) {
    FunctionName name;
    name.qualified = qualified;
    name.module = module;
    name.file = file;
    name.line = line;
    return name;
}

/// A thread of Python alone.
inline PunitNumber on_thread(uint32_t number) {
    return [number](schema::DomainId domain, unsigned) -> std::optional<uint32_t> {
        if (domain != schema::DomainId::python) return std::nullopt;
        return number;
    };
}

inline schema::EventSet events_on(const Configuration& configuration, const FunctionName& name,
                                  uint32_t thread) {
    constexpr auto python = schema::DomainId::python;
    return events_of(resolve(configuration, name),
                     resolve_thread(configuration, python, on_thread(thread)), python,
                     on_thread(thread));
}

inline constexpr schema::EventSet start = 1, ret = 2, c_start = 4, c_return = 8, import = 16;
inline constexpr schema::EventSet built_in = start | ret | c_start | c_return;

}  // namespace spyglass::config

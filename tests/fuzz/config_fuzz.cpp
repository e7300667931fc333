// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
// Any text is a configuration or a list of mistakes inside it; what stands can be resolved.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "config/check.h"
#include "config/explain.h"
#include "config/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace spyglass;
    const SourceText source("fuzz", std::string(reinterpret_cast<const char*>(data), size));
    const config::Parsed parsed = config::parse(source);
    for (const Diagnostic& each : parsed.diagnostics) {
        const size_t width = source.line(each.location.line).size();
        if (each.location.line == 0 || each.location.column > width + 2) abort();
    }
    config::Configuration configuration;
    (void)config::apply_edits(parsed.edits, configuration);
    (void)config::check(parsed.edits, configuration);
    (void)config::explain(configuration, "a.b.c");
    (void)config::explain(configuration, std::string(source.line(1)));
    return 0;
}

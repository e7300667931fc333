// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "language/language.h"
#include "language/vocabulary.h"

namespace spyglass::language {

namespace {

void fail(Diagnostics& diagnostics, const SourceText& source, size_t offset, size_t length,
          std::string message, std::string hint = {}) {
    Diagnostic diagnostic;
    diagnostic.location = source.locate(offset);
    diagnostic.length = static_cast<uint32_t>(length == 0 ? 1 : length);
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostics.push_back(std::move(diagnostic));
}

}  // namespace

ParsedFilter parse_listing_filter(const SourceText& source) {
    ParsedFilter parsed;
    std::string_view text = source.text();
    const size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const size_t end = text.find_last_not_of(" \t\r\n") + 1;
    if (begin >= end) {
        fail(parsed.diagnostics, source, 0, 1, "the probe filter is empty",
             "write for example func:mymodule.*:start");
        return parsed;
    }
    if (const size_t brace = text.find('{'); brace != std::string_view::npos) {
        fail(parsed.diagnostics, source, brace, 2, "Unexpected '{' in probe filter.",
             "Did you mean to use the -e option instead of -l?");
        return parsed;
    }
    if (const size_t space = text.find_first_of(" \t\n", begin); space < end) {
        fail(parsed.diagnostics, source, space, 1, "Unexpected space in probe filter.");
        return parsed;
    }
    std::string* const parts[] = {&parsed.filter.probe, &parsed.filter.first,
                                  &parsed.filter.second};
    size_t part = 0;
    for (size_t i = begin; i < end; ++i) {
        if (text[i] != ':') {
            *parts[part] += text[i];
        } else if (++part == 3) {
            fail(parsed.diagnostics, source, i, 1, "Too many probe parts. Expected at most 3");
            return parsed;
        }
    }
    std::string known;
    for (const ProbeWord& each : probe_words()) {
        if (!each.available) continue;
        if (each.name == parsed.filter.probe) return parsed;
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    fail(parsed.diagnostics, source, begin, parsed.filter.probe.size(),
         "Unknown probe name '" + parsed.filter.probe + "'. Expected one of " + known + ".");
    return parsed;
}

}  // namespace spyglass::language

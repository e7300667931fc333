// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "output/diagnostics.h"

namespace spyglass::output {

std::string describe(const std::string& program_name, const SourceText& source,
                     const Diagnostic& diagnostic) {
    std::string text = program_name + ": " + source.name() + ":";
    if (diagnostic.location.line != 0) {
        text += std::to_string(diagnostic.location.line) + ":" +
                std::to_string(diagnostic.location.column) + ":";
    }
    text += diagnostic.severity == Severity::error ? " error: " : " warning: ";
    text += diagnostic.message + "\n";
    if (diagnostic.location.line != 0) {
        const std::string line(source.line(diagnostic.location.line));
        text += "    " + line + "\n    ";
        // Tabs stay tabs, so that the caret stands where the terminal shows the character.
        for (uint32_t i = 0; i + 1 < diagnostic.location.column && i < line.size(); ++i) {
            const auto byte = static_cast<unsigned char>(line[i]);
            if ((byte & 0xc0) != 0x80) text += line[i] == '\t' ? '\t' : ' ';
        }
        text += "^";
        const size_t left =
            line.size() > diagnostic.location.column ? line.size() - diagnostic.location.column : 0;
        text +=
            std::string(std::min<size_t>(diagnostic.length == 0 ? 0 : diagnostic.length - 1, left),
                        '~') +
            "\n";
    }
    if (!diagnostic.hint.empty()) text += "    " + diagnostic.hint + "\n";
    return text;
}

std::string describe(const std::string& program_name, const SourceText& source,
                     const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& each : diagnostics) text += describe(program_name, source, each);
    return text;
}

std::string describe(const std::string& program_name, const Error& error) {
    std::string text = program_name + ": " + error.message() + "\n";
    if (!error.remedy().empty()) text += "    " + error.remedy() + "\n";
    return text;
}

}  // namespace spyglass::output

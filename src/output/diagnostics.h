// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one place where mistakes and failures become text for people: the mistake with its line, a
// caret and a hint; the failure with its causes and what to do. Returns text; whoever owns the
// stream writes it. Any thread.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "base/result.h"
#include "base/source_text.h"

namespace spyglass::output {

/// "program: -e:1:6: error: …", the line, a caret, the hint.
std::string describe(const std::string& program_name, const SourceText& source,
                     const Diagnostic& diagnostic);
std::string describe(const std::string& program_name, const SourceText& source,
                     const Diagnostics& diagnostics);

/// "program: …" and, when there is one, what to do.
std::string describe(const std::string& program_name, const Error& error);

}  // namespace spyglass::output

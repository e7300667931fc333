// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
// Any text is a program or a list of mistakes; what parses also travels as bytes and comes back.
#include <cstdlib>
#include <string>

#include "language/language.h"
#include "plan/encode.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const spyglass::SourceText source("fuzz",
                                      std::string(reinterpret_cast<const char*>(data), size));
    const auto parsed = spyglass::language::parse(source);
    const auto bytes = spyglass::plan::encode(parsed.program);
    const auto again = spyglass::plan::decode_program(bytes);
    if (!again || spyglass::plan::encode(*again) != bytes) abort();
    return 0;
}

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
// Any text is a listing filter or a list of mistakes.
#include <cstdint>
#include <string>

#include "language/language.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const spyglass::SourceText source("fuzz",
                                      std::string(reinterpret_cast<const char*>(data), size));
    (void)spyglass::language::parse_listing_filter(source);
    return 0;
}

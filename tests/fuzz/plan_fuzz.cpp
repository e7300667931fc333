// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
// The agent decodes what a tracer sent: hostile bytes are an error, and what decodes encodes to
// itself.
#include <cstdlib>

#include "plan/encode.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    (void)spyglass::plan::decode_listing_filter(bytes);
    const auto program = spyglass::plan::decode_program(bytes);
    if (!program) return 0;
    const auto once = spyglass::plan::encode(*program);
    const auto again = spyglass::plan::decode_program(once);
    if (!again || spyglass::plan::encode(*again) != once) abort();
    return 0;
}

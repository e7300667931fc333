// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
// The arena was written by the target: any bytes give maps or an error.
#include <cstring>
#include <vector>

#include "aggregate/render.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    // Cells are read as 8-byte words, as in shared memory, which is aligned to a page.
    std::vector<uint64_t> words((size + 7) / 8);
    if (size != 0) memcpy(words.data(), data, size);
    const auto maps = spyglass::aggregate::snapshot(std::as_bytes(std::span(words)).first(size));
    if (!maps) return 0;
    for (const auto& map : *maps) (void)spyglass::aggregate::render(map);
    return 0;
}

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/loader_blob/loader_bytes.h"

extern "C" {
extern const std::byte spyglass_loader_begin[];  // embed.S
extern const std::byte spyglass_loader_end[];
}

namespace spyglass::attach {

std::span<const std::byte> loader_code() {
    return {spyglass_loader_begin,
            static_cast<size_t>(spyglass_loader_end - spyglass_loader_begin)};
}

}  // namespace spyglass::attach

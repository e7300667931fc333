// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The live interpreter of a process, found in its memory by its own marks: the image that defines
// `_PyRuntime`, whatever file it came from. Version from `Py_Version` (exported since 3.11), before
// that from the version text among the image's constants. Reads only. Any thread.
#pragma once

#include <memory>
#include <optional>

#include "attach/elf_image.h"
#include "attach/target.h"

namespace spyglass::attach {

struct Interpreter {
    Runtime runtime;
    ElfImage image;
};

/// Empty when no image of the process defines an interpreter. One older than 3.7 has no
/// `_PyRuntime`: its address is 0.
Result<std::optional<Interpreter>> find_interpreter(const RemoteMemory& memory,
                                                    const std::vector<Mapping>& map);

/// "3.11.2", from PY_VERSION_HEX; "3.15.0a1" style suffix for pre-releases.
std::string version_text(uint32_t version_hex);

}  // namespace spyglass::attach

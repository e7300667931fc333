// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The mappings of a process as /proc/PID/maps tells them (proc(5)). The path is what the kernel
// prints, "(deleted)" included: for messages and for telling images apart, never for opening.
// Any thread; a snapshot, already old when it is returned.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace spyglass::attach {

struct Mapping {
    uint64_t begin = 0;
    uint64_t end = 0;
    uint64_t offset = 0;
    uint64_t inode = 0;
    bool readable = false;
    bool writable = false;
    bool executable = false;
    std::string path;

    bool contains(uint64_t address) const { return address >= begin && address < end; }
};

Result<std::vector<Mapping>> read_memory_map(pid_t pid);

/// The mapping that covers `address`, or null.
const Mapping* mapping_of(const std::vector<Mapping>& map, uint64_t address);

}  // namespace spyglass::attach

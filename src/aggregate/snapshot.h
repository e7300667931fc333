// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The reader's side of layout.h: a copy of every map as it is now. The memory was written by the
// target and may hold anything: every offset, size and enumerator is checked, loops are bounded, a
// damaged arena is an Error. Any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "aggregate/layout.h"
#include "base/result.h"

namespace spyglass::aggregate {

struct Histogram {
    int32_t first_bucket = 0;
    std::vector<uint64_t> counts;
    uint64_t not_numbers = 0;
    uint64_t total() const;
};

struct EntrySnapshot {
    KeyKind key_kind = KeyKind::other;
    std::string key;
    Kind kind = Kind::none;
    Representation representation = Representation::none;
    int64_t integer = 0;
    double real = 0;
    std::string text;
    Histogram histogram;
};

struct MapSnapshot {
    std::string name;
    std::vector<EntrySnapshot> entries;  // in order of first use
    uint64_t overflowed = 0;
};

Result<std::vector<MapSnapshot>> snapshot(std::span<const std::byte> untrusted_arena);

}  // namespace spyglass::aggregate

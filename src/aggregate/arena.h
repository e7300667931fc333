// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The writer's side of layout.h. It knows bytes and offsets; what a key or a number means to Python
// is the agent's concern. One writer at a time. Never throws; null or false when the arena is full.
// Records live as long as the memory.
#pragma once

#include <span>
#include <string_view>

#include "aggregate/layout.h"

namespace spyglass::aggregate {

class Arena {
  public:
    Arena() = default;
    /// Formats `memory` (zeroed, 64-byte aligned).
    explicit Arena(std::span<std::byte> memory);

    MapRecord* add_map(std::string_view name);
    EntryRecord* add_entry(MapRecord& map, Kind kind, KeyKind key_kind, std::string_view key);

    void set_integer(EntryRecord& entry, int64_t value);
    void set_real(EntryRecord& entry, double value);
    bool set_text(EntryRecord& entry, std::string_view text);
    /// Adds 1 to a bucket of the entry's histogram, which begins with its first bucket.
    bool add_to_histogram(EntryRecord& entry, int32_t bucket);
    bool add_not_a_number(EntryRecord& entry);

  private:
    void* allocate(uint64_t bytes, uint64_t& offset);
    HistogramWindow* window_with(EntryRecord& entry, int32_t bucket);
    template <class T>
    T* at(uint64_t offset) const {
        return reinterpret_cast<T*>(memory_.data() + offset);
    }

    std::span<std::byte> memory_;
    ArenaHeader* header_ = nullptr;
};

}  // namespace spyglass::aggregate

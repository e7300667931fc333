// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The writer's side of layout.h. It knows bytes and offsets; what a key or a number means to Python
// is the agent's concern. One writer at a time. Never throws; null or false when the arena is full.
// Records live as long as the memory.
#pragma once

#include <bit>
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

    void set_integer(EntryRecord& entry, int64_t value) {
        set(entry, Representation::integer, static_cast<uint64_t>(value));
    }
    void set_real(EntryRecord& entry, double value) {
        set(entry, Representation::real, std::bit_cast<uint64_t>(value));
    }
    bool set_text(EntryRecord& entry, std::string_view text);
    /// Adds 1 to a bucket within ±max_bucket of the entry's histogram, which begins with its first
    /// bucket.
    bool add_to_histogram(EntryRecord& entry, int32_t bucket);
    bool add_not_a_number(EntryRecord& entry);

  private:
    static void set(EntryRecord& entry, Representation representation, uint64_t bits) {
        const Shape shape = entry.shape.load(std::memory_order_relaxed);
        if (representation_of(shape) == representation) {
            entry.cells[cell_of(shape)].store(bits, std::memory_order_release);
            return;
        }
        const unsigned other = 1 - cell_of(shape);
        entry.cells[other].store(bits, std::memory_order_relaxed);
        entry.shape.store(shape_of(representation, other), std::memory_order_release);
    }
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

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Aggregates in shared memory: written in the target, read by the tracer, alive after the target's
// death. A bump-allocated arena; links are offsets from its start, 0 is none.
//
//   ArenaHeader -> MapRecord -> MapRecord …            in order of creation
//                    |-> EntryRecord -> EntryRecord …  in order of first use; key text follows
//                          cell: a number, or the offset of a text or of a histogram window
//
// One writer at a time (the agent serialises). A record is filled before the link to it is stored
// with release order, and every change of a value takes effect by one store, so a reader sees whole
// values whenever the writer dies. The reader trusts nothing: snapshot.cpp checks every offset.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace spyglass::aggregate {

inline constexpr uint64_t arena_magic = 0x31414e4552415053;
inline constexpr uint64_t arena_alignment = 8;

/// What an entry accumulates (kinds.h); the first use decides.
enum class Kind : uint8_t { none, count, sum, min, max, quantize, value };

/// How its number is kept.
enum class Representation : uint32_t {
    none,       // not written yet
    integer,    // cell: int64
    real,       // cell: double
    text,       // cell: offset of a TextBlock (an integer beyond 64 bits, in decimal or 0x…)
    histogram,  // cell: offset of a HistogramWindow
};

/// A Representation and, in bit 8, which of the entry's two cells holds the value. To change the
/// representation, the other cell is written first, then the shape: one store, never half a change.
using Shape = uint32_t;
constexpr Shape shape_of(Representation representation, unsigned cell) {
    return static_cast<Shape>(representation) | (cell << 8);
}
constexpr Representation representation_of(Shape shape) {
    return static_cast<Representation>(shape & 0xff);
}
constexpr unsigned cell_of(Shape shape) {
    return (shape >> 8) & 1;
}

/// For alignment and JSON: how the key is printed.
enum class KeyKind : uint8_t { integer, text, other };

struct ArenaHeader {
    uint64_t magic;
    uint64_t capacity_bytes;
    std::atomic<uint64_t> used_bytes;
    std::atomic<uint64_t> first_map;
    uint64_t last_map;  // writer's own
    uint64_t reserved[3];
};
static_assert(sizeof(ArenaHeader) == 64);

struct MapRecord {
    std::atomic<uint64_t> next;
    std::atomic<uint64_t> first_entry;
    uint64_t last_entry;  // writer's own
    std::atomic<uint64_t> entries;
    std::atomic<uint64_t> overflowed;  // updates of keys beyond the limit: "(other)"
    uint32_t name_bytes;               // the name follows the record
    uint32_t reserved;
};
static_assert(sizeof(MapRecord) == 48);

struct EntryRecord {
    std::atomic<uint64_t> next;
    std::atomic<uint64_t> cells[2];
    std::atomic<Shape> shape;
    Kind kind;
    KeyKind key_kind;
    std::atomic<uint8_t> removed;  // deleted by an action; not printed
    uint8_t reserved;
    uint32_t key_bytes;  // the key's printed form follows the record
    uint32_t reserved2;

    Representation representation() const {
        return representation_of(shape.load(std::memory_order_relaxed));
    }
    /// Writer's own view of the value.
    uint64_t bits() const {
        return cells[cell_of(shape.load(std::memory_order_relaxed))].load(
            std::memory_order_relaxed);
    }
};
static_assert(sizeof(EntryRecord) == 40);

/// An entry writes into two of them in turn, so that the one it points to is whole at any instant.
struct TextBlock {
    uint32_t bytes;           // of the text, which follows
    uint32_t capacity_bytes;  // room for it
    uint64_t other;           // writer's own: offset of the block to write next, 0 for none
};
static_assert(sizeof(TextBlock) == 16);

/// Buckets first_bucket .. first_bucket + bucket_count - 1; see histogram.h for their meaning.
struct HistogramWindow {
    int32_t first_bucket;
    uint32_t bucket_count;
    std::atomic<uint64_t> not_numbers;  // NaN, infinities and beyond the last bucket, counted apart
    // std::atomic<uint64_t> counts[bucket_count] follow
};
static_assert(sizeof(HistogramWindow) == 16);

}  // namespace spyglass::aggregate

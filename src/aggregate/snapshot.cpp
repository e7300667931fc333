// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/snapshot.h"

#include <bit>
#include <cstring>
#include <numeric>

#include "aggregate/histogram.h"

namespace spyglass::aggregate {

namespace {

class Reader {
  public:
    explicit Reader(std::span<const std::byte> memory)
        : memory_(memory), unread_bytes_(memory.size()) {}

    Result<std::vector<MapSnapshot>> run() {
        std::vector<MapSnapshot> maps;
        const auto* const header = place<ArenaHeader>(0);
        // A target that died before its agent began leaves zeroes: no maps.
        if (!header || header->magic == 0) return maps;
        if (header->magic != arena_magic) return damaged();
        uint64_t previous = 0;
        uint64_t offset = header->first_map.load(std::memory_order_acquire);
        while (offset != 0) {
            // Records are allocated upwards, so a link that goes down is a loop or worse.
            const auto* const map = offset > previous ? place<MapRecord>(offset) : nullptr;
            if (!map || !spend(sizeof(MapRecord))) return damaged();
            MapSnapshot copy;
            if (!text(offset + sizeof(MapRecord), map->name_bytes, copy.name)) return damaged();
            copy.overflowed = map->overflowed.load(std::memory_order_relaxed);
            if (!read_entries(map->first_entry.load(std::memory_order_acquire), copy))
                return damaged();
            maps.push_back(std::move(copy));
            previous = offset;
            offset = map->next.load(std::memory_order_acquire);
        }
        return maps;
    }

  private:
    static Error damaged() {
        return Error("the aggregates in shared memory are damaged").code("damaged-arena");
    }

    template <class T>
    const T* place(uint64_t offset) const {
        if (offset % arena_alignment != 0 || offset > memory_.size() ||
            memory_.size() - offset < sizeof(T)) {
            return nullptr;
        }
        return reinterpret_cast<const T*>(memory_.data() + offset);
    }

    // Honest records do not overlap, so together they are no more than the memory; others could
    // make a small arena into an endless answer.
    bool spend(uint64_t bytes) {
        if (bytes > unread_bytes_) return false;
        unread_bytes_ -= bytes;
        return true;
    }

    bool text(uint64_t offset, uint64_t bytes, std::string& to) {
        if (offset > memory_.size() || bytes > memory_.size() - offset || !spend(bytes))
            return false;
        to.assign(reinterpret_cast<const char*>(memory_.data() + offset), bytes);
        return true;
    }

    bool read_entries(uint64_t offset, MapSnapshot& map) {
        uint64_t previous = 0;
        while (offset != 0) {
            const auto* const entry = offset > previous ? place<EntryRecord>(offset) : nullptr;
            if (!entry || !spend(sizeof(EntryRecord))) return false;
            EntrySnapshot copy;
            copy.kind = entry->kind;
            copy.key_kind = entry->key_kind;
            if (copy.kind > Kind::value || copy.key_kind > KeyKind::other) return false;
            if (!text(offset + sizeof(EntryRecord), entry->key_bytes, copy.key)) return false;
            if (!read_value(*entry, copy)) return false;
            const bool removed = entry->removed.load(std::memory_order_relaxed) != 0;
            if (copy.representation != Representation::none && !removed)
                map.entries.push_back(std::move(copy));
            previous = offset;
            offset = entry->next.load(std::memory_order_acquire);
        }
        return true;
    }

    bool read_value(const EntryRecord& entry, EntrySnapshot& copy) {
        const Shape shape = entry.shape.load(std::memory_order_acquire);
        copy.representation = representation_of(shape);
        const uint64_t bits = entry.cells[cell_of(shape)].load(std::memory_order_acquire);
        switch (copy.representation) {
            case Representation::none:
                return true;
            case Representation::integer:
                copy.integer = static_cast<int64_t>(bits);
                return true;
            case Representation::real:
                copy.real = std::bit_cast<double>(bits);
                return true;
            case Representation::text: {
                const auto* const block = place<TextBlock>(bits);
                return block && text(bits + sizeof(TextBlock), block->bytes, copy.text);
            }
            case Representation::histogram:
                return read_histogram(bits, copy.histogram);
        }
        return false;
    }

    bool read_histogram(uint64_t offset, Histogram& histogram) {
        const auto* const window = place<HistogramWindow>(offset);
        if (!window) return false;
        const int64_t first = window->first_bucket;
        const uint32_t count = window->bucket_count;
        const uint64_t room = memory_.size() - offset - sizeof(HistogramWindow);
        if (first < -max_bucket || first + count > max_bucket + 1 ||
            room / sizeof(uint64_t) < count)
            return false;
        if (!spend(uint64_t{count} * sizeof(uint64_t))) return false;
        histogram.first_bucket = static_cast<int32_t>(first);
        histogram.not_numbers = window->not_numbers.load(std::memory_order_relaxed);
        const auto* const counts = reinterpret_cast<const std::atomic<uint64_t>*>(window + 1);
        histogram.counts.resize(count);
        for (uint32_t i = 0; i < count; ++i)
            histogram.counts[i] = counts[i].load(std::memory_order_relaxed);
        return true;
    }

    std::span<const std::byte> memory_;
    uint64_t unread_bytes_;
};

}  // namespace

uint64_t Histogram::total() const {
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

Result<std::vector<MapSnapshot>> snapshot(std::span<const std::byte> untrusted_arena) {
    return Reader(untrusted_arena).run();
}

}  // namespace spyglass::aggregate

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/snapshot.h"

#include <bit>
#include <cstring>
#include <numeric>

namespace spyglass::aggregate {

namespace {

constexpr uint32_t max_buckets = 1u << 20;

class Reader {
  public:
    explicit Reader(std::span<const std::byte> memory) : memory_(memory) {}

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
            if (!map) return damaged();
            MapSnapshot copy;
            if (!text(offset + sizeof(MapRecord), map->name_bytes, copy.name)) return damaged();
            copy.overflowed = map->overflowed.load(std::memory_order_relaxed);
            if (!read_entries(map->first_entry.load(std::memory_order_acquire), copy)) return damaged();
            maps.push_back(std::move(copy));
            previous = offset;
            offset = map->next.load(std::memory_order_acquire);
        }
        return maps;
    }

  private:
    static Error damaged() { return Error("the aggregates in shared memory are damaged").code("damaged-arena"); }

    template <class T>
    const T* place(uint64_t offset) const {
        if (offset % arena_alignment != 0 || offset > memory_.size() || memory_.size() - offset < sizeof(T)) {
            return nullptr;
        }
        return reinterpret_cast<const T*>(memory_.data() + offset);
    }

    bool text(uint64_t offset, uint64_t bytes, std::string& to) const {
        if (offset > memory_.size() || bytes > memory_.size() - offset) return false;
        to.assign(reinterpret_cast<const char*>(memory_.data() + offset), bytes);
        return true;
    }

    bool read_entries(uint64_t offset, MapSnapshot& map) const {
        uint64_t previous = 0;
        while (offset != 0) {
            const auto* const entry = offset > previous ? place<EntryRecord>(offset) : nullptr;
            if (!entry) return false;
            EntrySnapshot copy;
            copy.kind = entry->kind;
            copy.key_kind = entry->key_kind;
            if (copy.kind > Kind::value || copy.key_kind > KeyKind::other) return false;
            if (!text(offset + sizeof(EntryRecord), entry->key_bytes, copy.key)) return false;
            if (!read_value(*entry, copy)) return false;
            const bool removed = entry->removed.load(std::memory_order_relaxed) != 0;
            if (copy.representation != Representation::none && !removed) map.entries.push_back(std::move(copy));
            previous = offset;
            offset = entry->next.load(std::memory_order_acquire);
        }
        return true;
    }

    bool read_value(const EntryRecord& entry, EntrySnapshot& copy) const {
        copy.representation = entry.representation.load(std::memory_order_acquire);
        const uint64_t bits = entry.bits.load(std::memory_order_acquire);
        switch (copy.representation) {
            case Representation::none: return true;
            case Representation::integer: copy.integer = static_cast<int64_t>(bits); return true;
            case Representation::real: copy.real = std::bit_cast<double>(bits); return true;
            case Representation::text: {
                const auto* const block = place<TextBlock>(bits);
                return block && text(bits + sizeof(TextBlock), block->bytes, copy.text);
            }
            case Representation::histogram: return read_histogram(bits, copy.histogram);
        }
        return false;
    }

    bool read_histogram(uint64_t offset, Histogram& histogram) const {
        const auto* const window = place<HistogramWindow>(offset);
        if (!window) return false;
        const uint32_t count = window->bucket_count;
        const uint64_t room = memory_.size() - offset - sizeof(HistogramWindow);
        if (count > max_buckets || room / sizeof(uint64_t) < count) return false;
        histogram.first_bucket = window->first_bucket;
        histogram.not_numbers = window->not_numbers.load(std::memory_order_relaxed);
        const auto* const counts = reinterpret_cast<const std::atomic<uint64_t>*>(window + 1);
        histogram.counts.resize(count);
        for (uint32_t i = 0; i < count; ++i) histogram.counts[i] = counts[i].load(std::memory_order_relaxed);
        return true;
    }

    std::span<const std::byte> memory_;
};

}  // namespace

uint64_t Histogram::total() const { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }

Result<std::vector<MapSnapshot>> snapshot(std::span<const std::byte> untrusted_arena) {
    return Reader(untrusted_arena).run();
}

}  // namespace spyglass::aggregate

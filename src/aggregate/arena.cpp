// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/arena.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace spyglass::aggregate {

namespace {

constexpr int32_t initial_buckets = 16;

std::atomic<uint64_t>* counts_of(HistogramWindow& window) {
    return reinterpret_cast<std::atomic<uint64_t>*>(&window + 1);
}

void add_one(std::atomic<uint64_t>& counter) {
    // Single writer: no locked instruction needed.
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

Arena::Arena(std::span<std::byte> memory) : memory_(memory) {
    if (memory.size() < sizeof(ArenaHeader)) return;
    header_ = new (memory.data()) ArenaHeader{};
    header_->capacity_bytes = memory.size();
    header_->used_bytes.store(sizeof(ArenaHeader), std::memory_order_relaxed);
    header_->magic = arena_magic;
}

void* Arena::allocate(uint64_t bytes, uint64_t& offset) {
    if (!header_) return nullptr;
    bytes = (bytes + arena_alignment - 1) & ~(arena_alignment - 1);
    offset = header_->used_bytes.load(std::memory_order_relaxed);
    if (bytes > header_->capacity_bytes - offset) return nullptr;
    header_->used_bytes.store(offset + bytes, std::memory_order_relaxed);
    return memory_.data() + offset;
}

MapRecord* Arena::add_map(std::string_view name) {
    uint64_t offset = 0;
    void* const place = allocate(sizeof(MapRecord) + name.size(), offset);
    if (!place) return nullptr;
    auto* const map = new (place) MapRecord{};
    map->name_bytes = static_cast<uint32_t>(name.size());
    memcpy(static_cast<void*>(map + 1), name.data(), name.size());
    std::atomic<uint64_t>& link = header_->last_map ? at<MapRecord>(header_->last_map)->next : header_->first_map;
    link.store(offset, std::memory_order_release);
    header_->last_map = offset;
    return map;
}

EntryRecord* Arena::add_entry(MapRecord& map, Kind kind, KeyKind key_kind, std::string_view key) {
    uint64_t offset = 0;
    void* const place = allocate(sizeof(EntryRecord) + key.size(), offset);
    if (!place) return nullptr;
    auto* const entry = new (place) EntryRecord{};
    entry->kind = kind;
    entry->key_kind = key_kind;
    entry->key_bytes = static_cast<uint32_t>(key.size());
    memcpy(static_cast<void*>(entry + 1), key.data(), key.size());
    std::atomic<uint64_t>& link = map.last_entry ? at<EntryRecord>(map.last_entry)->next : map.first_entry;
    link.store(offset, std::memory_order_release);
    map.last_entry = offset;
    add_one(map.entries);
    return entry;
}

void Arena::set_integer(EntryRecord& entry, int64_t value) {
    entry.bits.store(static_cast<uint64_t>(value), std::memory_order_relaxed);
    entry.representation.store(Representation::integer, std::memory_order_release);
}

void Arena::set_real(EntryRecord& entry, double value) {
    entry.bits.store(std::bit_cast<uint64_t>(value), std::memory_order_relaxed);
    entry.representation.store(Representation::real, std::memory_order_release);
}

bool Arena::set_text(EntryRecord& entry, std::string_view text) {
    uint64_t offset = 0;
    void* const place = allocate(sizeof(TextBlock) + text.size(), offset);
    if (!place) return false;
    auto* const block = new (place) TextBlock{static_cast<uint32_t>(text.size()), 0};
    memcpy(static_cast<void*>(block + 1), text.data(), text.size());
    entry.bits.store(offset, std::memory_order_release);
    entry.representation.store(Representation::text, std::memory_order_release);
    return true;
}

HistogramWindow* Arena::window_with(EntryRecord& entry, int32_t bucket) {
    HistogramWindow* old = nullptr;
    int32_t first = bucket - initial_buckets / 2;
    int32_t end = first + initial_buckets;
    if (entry.representation.load(std::memory_order_relaxed) == Representation::histogram) {
        old = at<HistogramWindow>(entry.bits.load(std::memory_order_relaxed));
        const auto old_end = static_cast<int32_t>(old->first_bucket + static_cast<int32_t>(old->bucket_count));
        if (bucket >= old->first_bucket && bucket < old_end) return old;
        first = std::min(old->first_bucket, bucket - initial_buckets / 2);
        end = std::max(old_end, bucket + initial_buckets / 2);
    }
    const auto count = static_cast<uint32_t>(end - first);
    uint64_t offset = 0;
    void* const place = allocate(sizeof(HistogramWindow) + uint64_t{count} * sizeof(uint64_t), offset);
    if (!place) return nullptr;
    auto* const window = new (place) HistogramWindow{first, count, {0}};
    std::atomic<uint64_t>* const counts = counts_of(*window);
    for (uint32_t i = 0; i < count; ++i) new (&counts[i]) std::atomic<uint64_t>(0);
    if (old) {
        window->not_numbers.store(old->not_numbers.load(std::memory_order_relaxed), std::memory_order_relaxed);
        for (uint32_t i = 0; i < old->bucket_count; ++i) {
            const auto to = static_cast<uint32_t>(old->first_bucket - first) + i;
            counts[to].store(counts_of(*old)[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
        }
    }
    entry.bits.store(offset, std::memory_order_release);
    entry.representation.store(Representation::histogram, std::memory_order_release);
    return window;
}

bool Arena::add_to_histogram(EntryRecord& entry, int32_t bucket) {
    HistogramWindow* const window = window_with(entry, bucket);
    if (!window) return false;
    add_one(counts_of(*window)[bucket - window->first_bucket]);
    return true;
}

bool Arena::add_not_a_number(EntryRecord& entry) {
    const bool begun = entry.representation.load(std::memory_order_relaxed) == Representation::histogram;
    HistogramWindow* const window =
        begun ? at<HistogramWindow>(entry.bits.load(std::memory_order_relaxed)) : window_with(entry, 0);
    if (!window) return false;
    add_one(window->not_numbers);
    return true;
}

}  // namespace spyglass::aggregate

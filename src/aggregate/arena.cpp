// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/arena.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "aggregate/histogram.h"

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
    std::atomic<uint64_t>& link =
        header_->last_map ? at<MapRecord>(header_->last_map)->next : header_->first_map;
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
    std::atomic<uint64_t>& link =
        map.last_entry ? at<EntryRecord>(map.last_entry)->next : map.first_entry;
    link.store(offset, std::memory_order_release);
    map.last_entry = offset;
    add_one(map.entries);
    return entry;
}

bool Arena::set_text(EntryRecord& entry, std::string_view text) {
    const bool had_text = entry.representation() == Representation::text;
    const uint64_t old = had_text ? entry.bits() : 0;
    uint64_t offset = had_text ? at<TextBlock>(old)->other : 0;
    if (offset == 0 || at<TextBlock>(offset)->capacity_bytes < text.size()) {
        const size_t capacity =
            text.size() + text.size() / 2 + 16;  // sums grow by a digit now and then
        void* const place = allocate(sizeof(TextBlock) + capacity, offset);
        if (!place) return false;
        new (place) TextBlock{0, static_cast<uint32_t>(capacity), 0};
    }
    auto* const block = at<TextBlock>(offset);
    block->bytes = static_cast<uint32_t>(text.size());
    block->other = old;
    memcpy(static_cast<void*>(block + 1), text.data(), text.size());
    set(entry, Representation::text, offset);
    return true;
}

HistogramWindow* Arena::window_with(EntryRecord& entry, int32_t bucket) {
    HistogramWindow* old = nullptr;
    int32_t first = bucket - initial_buckets / 2;
    int32_t end = bucket + initial_buckets / 2;
    if (entry.representation() == Representation::histogram) {
        old = at<HistogramWindow>(entry.bits());
        const auto old_count = static_cast<int32_t>(old->bucket_count);
        const int32_t old_end = old->first_bucket + old_count;
        if (bucket >= old->first_bucket && bucket < old_end) return old;
        // By half of what there is, so that the windows left behind add up to no more than a few.
        const int32_t more = std::max(initial_buckets / 2, old_count / 2);
        first = bucket < old->first_bucket ? std::min(bucket, old->first_bucket - more)
                                           : old->first_bucket;
        end = bucket >= old_end ? std::max(bucket + 1, old_end + more) : old_end;
    }
    first = std::max(first, -max_bucket);
    end = std::min(end, max_bucket + 1);
    const auto count = static_cast<uint32_t>(end - first);
    uint64_t offset = 0;
    void* const place =
        allocate(sizeof(HistogramWindow) + uint64_t{count} * sizeof(uint64_t), offset);
    if (!place) return nullptr;
    auto* const window = new (place) HistogramWindow{first, count, {0}};
    std::atomic<uint64_t>* const counts = counts_of(*window);
    for (uint32_t i = 0; i < count; ++i) new (&counts[i]) std::atomic<uint64_t>(0);
    if (old) {
        window->not_numbers.store(old->not_numbers.load(std::memory_order_relaxed),
                                  std::memory_order_relaxed);
        for (uint32_t i = 0; i < old->bucket_count; ++i) {
            const auto to = static_cast<uint32_t>(old->first_bucket - first) + i;
            counts[to].store(counts_of(*old)[i].load(std::memory_order_relaxed),
                             std::memory_order_relaxed);
        }
    }
    set(entry, Representation::histogram, offset);
    return window;
}

bool Arena::add_to_histogram(EntryRecord& entry, int32_t bucket) {
    HistogramWindow* const window = window_with(entry, bucket);
    if (!window) return false;
    add_one(counts_of(*window)[bucket - window->first_bucket]);
    return true;
}

bool Arena::add_not_a_number(EntryRecord& entry) {
    const bool begun = entry.representation() == Representation::histogram;
    HistogramWindow* const window =
        begun ? at<HistogramWindow>(entry.bits()) : window_with(entry, 0);
    if (!window) return false;
    add_one(window->not_numbers);
    return true;
}

}  // namespace spyglass::aggregate

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for an arena as the session gives it: zeroed and aligned. Owns it.
#pragma once

#include <span>
#include <vector>

#include "aggregate/arena.h"
#include "aggregate/snapshot.h"

namespace spyglass::aggregate {

struct Memory {
    explicit Memory(size_t bytes) : words(bytes / 8) {}

    std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(words)); }
    std::vector<MapSnapshot> maps() { return *snapshot(bytes()); }
    bool is_damaged() { return !snapshot(bytes()); }

    template <class T>
    T& at(uint64_t offset) {
        return *reinterpret_cast<T*>(bytes().data() + offset);
    }
    template <class T>
    uint64_t offset_of(const T* record) {
        return static_cast<uint64_t>(reinterpret_cast<const std::byte*>(record) - bytes().data());
    }

    std::vector<uint64_t> words;
};

}  // namespace spyglass::aggregate

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
// The ring and its positions were written by the target: reading ends, and stays inside.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "wire/ring_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr size_t ring_bytes = 4096;
    if (size < sizeof(uint64_t)) return 0;
    alignas(64) static std::array<std::byte, ring_bytes> ring;
    alignas(64) static spyglass::wire::SessionHeader header;
    uint64_t written;
    memcpy(&written, data, sizeof written);
    ring.fill(std::byte{0});
    memcpy(ring.data(), data + sizeof written, std::min(size - sizeof written, ring_bytes));
    header.ring_bytes = ring_bytes;
    header.consumed = 0;
    header.written = written;

    spyglass::wire::RingReader reader(&header, ring.data(), ring_bytes);
    spyglass::wire::Record record;
    size_t records = 0;
    while (reader.next(record)) {
        if (record.payload.size() > ring_bytes) abort();
        // A ring holds at most one record for each header's size, however it lies about `written`.
        if (++records > ring_bytes / sizeof(spyglass::wire::RecordHeader)) abort();
    }
    reader.release();
    return 0;
}

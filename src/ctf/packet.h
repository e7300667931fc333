// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Bits and bytes of a stream file; metadata.cpp says the same to other programs, and
// tests/interop checks that they understand. Little-endian, nothing aligned: CTF 1.8
// (diamon.org/ctf), sections 5 (packets) and 6 (events).
#pragma once

#include <cstddef>
#include <cstdint>

namespace spyglass::ctf {

inline constexpr size_t packet_bytes = 4096;  // one page: see README.md
inline constexpr uint32_t packet_magic = 0xC1FC1FC1;

struct PacketHeader {
    uint32_t magic;
    uint32_t stream_class;     // schema::StreamKind
    uint64_t stream_instance;  // of threads: their number
    uint64_t timestamp_begin;  // ns, CLOCK_MONOTONIC
    uint64_t content_bits;     // header and events
    uint64_t packet_bits;
    uint64_t sequence;   // of packets in this stream
    uint64_t discarded;  // events lost in this stream before the end of this packet
    uint32_t tid;
    uint32_t reserved;
};
static_assert(sizeof(PacketHeader) == 64);
static_assert(offsetof(PacketHeader, content_bits) == 24);

inline constexpr unsigned id_bits = 5;
inline constexpr unsigned timestamp_bits = 27;
inline constexpr uint64_t timestamp_range = uint64_t{1} << timestamp_bits;
inline constexpr unsigned extended_id = 31;
inline constexpr size_t compact_header_bytes = 4;
inline constexpr size_t extended_header_bytes = 1 + 4 + 8;

/// Longer texts are cut to this, so that each event has room in one packet.
inline constexpr size_t max_text_bytes = 900;

}  // namespace spyglass::ctf

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The shared memory of one session: one memfd that the tracer makes, sizes and passes to the agent.
//
//   0            header_bytes          ring_offset + ring_bytes        total_bytes
//   | SessionHeader | (pad to a page) | print ring | aggregate arena    |
//
// The tracer writes the geometry before it passes the descriptor and never again. The agent writes
// records and counters; it may die at any instruction, so a record counts only once `written`
// covers it. Everything that the tracer reads here is untrusted: copied, checked, then used.
//
// The ring is a byte ring with one writer at a time (the agent serialises its threads) and one
// reader (the tracer). `written` and `consumed` only grow; position = value % ring_bytes. A record
// never wraps: the writer fills the end with a `padding` record. Meaning of records: RecordKind.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace spyglass::wire {

inline constexpr uint64_t session_magic = 0x31534553'59505300;
inline constexpr uint32_t session_version = 1;
inline constexpr uint32_t cache_line_bytes = 64;
inline constexpr uint64_t default_ring_bytes = 8u << 20;
inline constexpr uint64_t default_arena_bytes = 1ull << 30;  // sparse: pages exist once touched

struct alignas(cache_line_bytes) SessionHeader {
    // Geometry: written by the tracer once.
    uint64_t magic;
    uint32_t version;
    uint32_t header_bytes;
    uint64_t total_bytes;
    uint64_t ring_offset;
    uint64_t ring_bytes;  // a power of two
    uint64_t arena_offset;
    uint64_t arena_bytes;
    uint64_t reserved;

    // Writer's line.
    alignas(cache_line_bytes) std::atomic<uint64_t> written;  // bytes ever committed
    std::atomic<uint64_t> records;                            // records ever committed
    std::atomic<uint64_t> dropped;                            // records given up: reader too slow
    std::atomic<uint32_t> writer_waiting;                     // 1: wake the writer (futex) on space
    uint32_t writer_reserved;

    // Reader's line.
    alignas(cache_line_bytes) std::atomic<uint64_t> consumed;
    std::atomic<uint32_t> reader_waiting;  // 1: the reader sleeps; write 1 to the event descriptor
    uint32_t reader_reserved[13];
};
static_assert(sizeof(SessionHeader) == 3 * cache_line_bytes);
static_assert(offsetof(SessionHeader, written) == cache_line_bytes);
static_assert(offsetof(SessionHeader, consumed) == 2 * cache_line_bytes);

enum class RecordKind : uint8_t {
    padding = 0,
    print_out = 1,     // text for the tracer's standard output
    print_err = 2,     // print(..., file=sys.stderr)
    action_error = 3,  // an exception in an action, formatted; `clause` says which
};

/// Followed by `payload_bytes` of UTF-8 (surrogates escaped), padded to 8. A text longer than one
/// record may hold is cut into fragments: all but the last carry `more`; fragments of one thread
/// are in order, those of several threads may interleave.
struct RecordHeader {
    static constexpr uint8_t more = 1;
    uint32_t payload_bytes;
    RecordKind kind;
    uint8_t flags;
    uint16_t clause;  // plan::Program::clauses index, or 0xffff
    uint32_t thread;  // kernel thread id in the target
    uint32_t reserved;
};
static_assert(sizeof(RecordHeader) == 16);

inline constexpr uint32_t no_clause = 0xffff;
inline constexpr uint64_t record_alignment_bytes = 8;
inline constexpr uint64_t max_fragment_bytes = 64u << 10;

}  // namespace spyglass::wire

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a recorded event is described: its number, its name, its fields. From these tables the
// trace's metadata is written and its events are decoded; a new event is one line of a table. The
// structs with the same fields, which the recorder fills, are in python_events.h and
// session_events.h. Constant data; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace spyglass::schema {

enum class FieldKind : uint8_t { u8, u32, u64, hex64, text };

/// Bytes of a number; 0 for a text, which ends with a zero byte.
constexpr size_t size_of(FieldKind kind) {
    switch (kind) {
        case FieldKind::u8:
            return 1;
        case FieldKind::u32:
            return 4;
        case FieldKind::u64:
        case FieldKind::hex64:
            return 8;
        case FieldKind::text:
            return 0;
    }
    return 0;
}

struct FieldSpec {
    std::string_view name;
    FieldKind kind;
};

struct EventType {
    uint8_t id;  // unique within its stream; below max_event_id
    std::string_view name;
    std::span<const FieldSpec> fields;
    std::string_view meaning;
};
inline constexpr unsigned max_event_id = 30;  // what a compact header holds

/// Streams of events: one for each thread, one for the process.
enum class StreamKind : uint8_t { thread, process };
inline constexpr unsigned stream_kind_count = 2;
std::string_view name_of(StreamKind kind);
std::span<const EventType> event_types(StreamKind kind);
/// Null when there is none of that number.
const EventType* find_event_type(StreamKind kind, unsigned id);

extern const std::span<const EventType> thread_events;   // python_events.cpp
extern const std::span<const EventType> process_events;  // session_events.cpp

}  // namespace spyglass::schema

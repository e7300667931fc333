// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "schema/event.h"

namespace spyglass::schema {

std::string_view name_of(StreamKind kind) {
    return kind == StreamKind::thread ? "thread" : "process";
}

std::span<const EventType> event_types(StreamKind kind) {
    return kind == StreamKind::thread ? thread_events : process_events;
}

const EventType* find_event_type(StreamKind kind, unsigned id) {
    for (const EventType& each : event_types(kind)) {
        if (each.id == id) return &each;
    }
    return nullptr;
}

}  // namespace spyglass::schema

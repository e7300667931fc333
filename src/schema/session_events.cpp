// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "schema/session_events.h"

namespace spyglass::schema {

namespace {

constexpr FieldSpec function_definition[] = {
    {"region", FieldKind::u32},    {"qualname", FieldKind::text}, {"module", FieldKind::text},
    {"filename", FieldKind::text}, {"lineno", FieldKind::u32},    {"code_id", FieldKind::hex64}};
constexpr FieldSpec callee_definition[] = {{"callee", FieldKind::u32}, {"name", FieldKind::text}};
constexpr FieldSpec thread_definition[] = {
    {"python_thread_id", FieldKind::u32}, {"tid", FieldKind::u32}, {"name", FieldKind::text}};
constexpr FieldSpec domain_mode[] = {{"domain", FieldKind::text},
                                     {"old_mode", FieldKind::text},
                                     {"new_mode", FieldKind::text},
                                     {"cause", FieldKind::text}};
constexpr FieldSpec function_totals[] = {{"region", FieldKind::u32},
                                         {"python_thread_id", FieldKind::u32},
                                         {"executions", FieldKind::u64},
                                         {"traced", FieldKind::u64}};
constexpr FieldSpec recording_begin[] = {{"pid", FieldKind::u32}, {"command", FieldKind::text}};
constexpr FieldSpec recording_end[] = {{"cause", FieldKind::text}};

constexpr uint8_t number(ProcessEventId id) {
    return static_cast<uint8_t>(id);
}

constexpr EventType events[] = {
    {number(ProcessEventId::function_definition), "function_definition", function_definition,
     "what a region's number means; before its first use"},
    {number(ProcessEventId::callee_definition), "callee_definition", callee_definition,
     "the name of a C function"},
    {number(ProcessEventId::thread_definition), "thread_definition", thread_definition,
     "a thread ran its first Python function"},
    {number(ProcessEventId::domain_mode), "domain_mode", domain_mode, "a domain's mode changed"},
    {number(ProcessEventId::function_totals), "function_totals", function_totals,
     "how often a function ran on a thread, and how often it was traced"},
    {number(ProcessEventId::recording_begin), "recording_begin", recording_begin, "first event"},
    {number(ProcessEventId::recording_end), "recording_end", recording_end,
     "the recording ended in order"},
};

}  // namespace

const std::span<const EventType> process_events = events;

}  // namespace spyglass::schema

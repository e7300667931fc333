// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "schema/python_events.h"

namespace spyglass::schema {

namespace {

constexpr FieldSpec region[] = {{"region", FieldKind::u32}};
constexpr FieldSpec callee[] = {{"callee", FieldKind::u32}};
constexpr FieldSpec module_name[] = {{"module", FieldKind::text}};

constexpr uint8_t number(ThreadEventId id) {
    return static_cast<uint8_t>(id);
}

constexpr EventType events[] = {
    {number(ThreadEventId::function_begin), "function_begin", region, "a function is entered"},
    {number(ThreadEventId::function_end), "function_end", {}, "it returns"},
    {number(ThreadEventId::function_unwind), "function_unwind", {}, "an exception leaves it"},
    {number(ThreadEventId::function_suspend), "function_suspend", {}, "it yields or awaits"},
    {number(ThreadEventId::function_resume), "function_resume", region, "it goes on"},
    {number(ThreadEventId::c_call_begin), "c_call_begin", callee, "it calls a C function"},
    {number(ThreadEventId::c_call_end), "c_call_end", {}, "the C function returned"},
    {number(ThreadEventId::c_call_unwind), "c_call_unwind", {}, "the C function raised"},
    {number(ThreadEventId::import_begin), "import_begin", module_name, "a module is imported"},
    {number(ThreadEventId::import_end), "import_end", {}, "its import ended"},
};

}  // namespace

const std::span<const EventType> thread_events = events;

}  // namespace spyglass::schema

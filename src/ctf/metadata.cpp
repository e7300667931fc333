// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "ctf/metadata.h"

#include "ctf/packet.h"
#include "schema/event.h"

namespace spyglass::ctf {

namespace {

using schema::FieldKind;

// Everything is in the byte order and the alignment that packet.h says.
constexpr const char* types = R"(
typealias integer { size = 5; align = 1; signed = false; } := u5;
typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
typealias integer { size = 64; align = 8; signed = false; base = hex; } := hex64;
)";

constexpr const char* clock_types = R"(
typealias integer { size = 27; align = 1; signed = false; map = clock.monotonic.value; } := u27_clock;
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := u64_clock;

struct event_header {
    enum : u5 { compact = 0 ... 30, extended = 31 } id;
    variant <id> {
        struct { u27_clock timestamp; } compact;
        struct { u32 id; u64_clock timestamp; } extended;
    } v;
} align(8);
)";

constexpr const char* packet_context = R"(
    packet.context := struct {
        u64_clock timestamp_begin;
        u64 content_size;
        u64 packet_size;
        u64 packet_seq_num;
        u64 events_discarded;
        u32 tid;
        u32 reserved;
    };
)";

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') result += '\\';
        result += byte < 0x20 || byte == 0x7f ? ' ' : c;
    }
    return result + '"';
}

std::string_view type_name(FieldKind kind) {
    switch (kind) {
        case FieldKind::u8:
            return "u8";
        case FieldKind::u32:
            return "u32";
        case FieldKind::u64:
            return "u64";
        case FieldKind::hex64:
            return "hex64";
        case FieldKind::text:
            return "string { encoding = UTF8; }";
    }
    return {};
}

std::string event_block(const schema::EventType& event, unsigned stream) {
    std::string text = "\nevent {\n    name = \"" + std::string(event.name) +
                       "\";\n    id = " + std::to_string(event.id) +
                       ";\n    stream_id = " + std::to_string(stream) +
                       ";\n    fields := struct {\n";
    for (const schema::FieldSpec& field : event.fields) {
        text += "        " + std::string(type_name(field.kind)) + " _" + std::string(field.name) +
                ";\n";
    }
    return text + "    };\n};\n";
}

}  // namespace

std::string metadata(const TraceEnvironment& environment, uint64_t clock_offset_ns) {
    constexpr uint64_t second = 1'000'000'000;
    std::string text = "/* CTF 1.8 */\n";
    text += types;
    text +=
        "\ntrace {\n    major = 1;\n    minor = 8;\n    byte_order = le;\n"
        "    packet.header := struct { u32 magic; u32 stream_id; u64 stream_instance_id; };\n};\n";
    text += "\nenv {\n";
    for (const auto& [name, value] : environment)
        text += "    " + name + " = " + quoted(value) + ";\n";
    text +=
        "};\n\nclock {\n    name = \"monotonic\";\n    description = \"CLOCK_MONOTONIC\";\n"
        "    freq = 1000000000;\n    offset_s = " +
        std::to_string(clock_offset_ns / second) +
        ";\n    offset = " + std::to_string(clock_offset_ns % second) + ";\n};\n";
    text += clock_types;
    for (unsigned i = 0; i < schema::stream_kind_count; ++i) {
        text += "\nstream {\n    id = " + std::to_string(i) +
                ";\n    event.header := struct event_header;" + packet_context + "};\n";
        for (const schema::EventType& event :
             schema::event_types(static_cast<schema::StreamKind>(i)))
            text += event_block(event, i);
    }
    return text;
}

}  // namespace spyglass::ctf

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "ctf/stream_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace spyglass::ctf {

namespace {

constexpr size_t buffer_packets = 64;

// What the decoder must know of an event's type at each event.
struct Shape {
    const schema::EventType* type = nullptr;
    size_t fixed_bytes = 0;
    bool has_text = false;
};
using Shapes = std::array<Shape, schema::max_event_id + 1>;

Shapes shapes_of(schema::StreamKind kind) {
    Shapes shapes;
    for (const schema::EventType& type : schema::event_types(kind)) {
        Shape& shape = shapes[type.id];
        shape.type = &type;
        for (const schema::FieldSpec& field : type.fields) {
            shape.fixed_bytes += schema::size_of(field.kind);
            shape.has_text = shape.has_text || field.kind == schema::FieldKind::text;
        }
    }
    return shapes;
}

const Shape* find_shape(schema::StreamKind kind, unsigned id) {
    static const Shapes all[] = {shapes_of(schema::StreamKind::thread),
                                 shapes_of(schema::StreamKind::process)};
    if (id > schema::max_event_id) return nullptr;
    const Shape& shape = all[static_cast<size_t>(kind)][id];
    return shape.type ? &shape : nullptr;
}

// Bytes of the payload that begins here; none: it is not whole.
std::optional<size_t> payload_size(const Shape& shape, std::span<const std::byte> rest) {
    if (!shape.has_text) {
        if (shape.fixed_bytes > rest.size()) return std::nullopt;
        return shape.fixed_bytes;
    }
    size_t at = 0;
    for (const schema::FieldSpec& field : shape.type->fields) {
        if (field.kind == schema::FieldKind::text) {
            const auto zero =
                std::find(rest.begin() + static_cast<ptrdiff_t>(at), rest.end(), std::byte{0});
            if (zero == rest.end()) return std::nullopt;
            at = static_cast<size_t>(zero - rest.begin()) + 1;
        } else {
            at += schema::size_of(field.kind);
            if (at > rest.size()) return std::nullopt;
        }
    }
    return at;
}

PacketHeader header_at(const std::byte* packet) {
    PacketHeader header;
    memcpy(&header, packet, sizeof header);
    return header;
}

bool is_ours(const PacketHeader& header) {
    return header.magic == packet_magic && header.stream_class < schema::stream_kind_count &&
           header.packet_bits == packet_bytes * 8 && header.content_bits % 8 == 0 &&
           header.content_bits >= sizeof(PacketHeader) * 8 &&
           header.content_bits <= header.packet_bits;
}

}  // namespace

Result<std::unique_ptr<StreamReader>> StreamReader::open(int directory, const std::string& name) {
    ScopedFd file(openat(directory, name.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return Error::from_errno("open the stream " + name, errno);
    std::unique_ptr<StreamReader> reader(new StreamReader(std::move(file)));
    reader->buffer_.resize(buffer_packets * packet_bytes);
    if (!reader->next_packet()) {
        if (!reader->damage_.empty() && reader->packets_ == 0 &&
            reader->buffer_bytes_ >= sizeof(PacketHeader))
            return Error("the file " + name + " is not a stream of this format");
        return reader;
    }
    return reader;
}

bool StreamReader::stop(const char* why) {
    over_ = true;
    damage_ = why;
    return false;
}

bool StreamReader::next_packet() {
    buffer_begin_ += packet_ ? packet_bytes : 0;
    if (buffer_begin_ >= buffer_bytes_) {
        const ssize_t count =
            pread(file_.get(), buffer_.data(), buffer_.size(), static_cast<off_t>(file_offset_));
        if (count < 0) return stop("it cannot be read");
        buffer_begin_ = 0;
        buffer_bytes_ = static_cast<size_t>(count);
        file_offset_ += static_cast<uint64_t>(count);
    }
    const size_t available = buffer_bytes_ - buffer_begin_;
    if (available == 0) {
        over_ = true;
        return false;
    }
    if (available < sizeof(PacketHeader)) return stop("its last packet is cut in the header");
    const std::byte* const packet = buffer_.data() + buffer_begin_;
    const PacketHeader header = header_at(packet);
    if (!is_ours(header)) return stop("a packet has no valid header");
    if (packets_ == 0) {
        identity_ = {static_cast<schema::StreamKind>(header.stream_class), header.stream_instance,
                     header.tid};
    } else if (static_cast<uint32_t>(identity_.kind) != header.stream_class) {
        return stop("a packet of another stream follows");
    }
    packet_offset_ = file_offset_ - buffer_bytes_ + buffer_begin_;
    ++packets_;
    packet_ = packet;
    at_ = sizeof(PacketHeader);
    end_ = std::min<size_t>(header.content_bits / 8, available);
    if (available < packet_bytes) damage_ = "its last packet is cut";
    now_ = header.timestamp_begin;
    discarded_ = header.discarded;
    return true;
}

bool StreamReader::next(Event& event) {
    while (!over_ && at_ == end_) {
        if (!damage_.empty()) return stop(damage_.c_str());
        if (!next_packet()) return false;
    }
    if (over_) return false;
    const std::span<const std::byte> rest(packet_ + at_, end_ - at_);
    if (rest.size() < compact_header_bytes) return stop("its last event is cut");
    uint32_t head = 0;
    memcpy(&head, rest.data(), sizeof head);
    unsigned id = head & ((1u << id_bits) - 1);
    size_t bytes = compact_header_bytes;
    uint64_t now = 0;
    if (id == extended_id) {
        bytes = extended_header_bytes;
        if (rest.size() < bytes) return stop("its last event is cut");
        memcpy(&id, rest.data() + 1, sizeof id);
        memcpy(&now, rest.data() + 5, sizeof now);
    } else {
        const uint64_t low = head >> id_bits;
        now = (now_ & ~(timestamp_range - 1)) | low;
        if (now < now_) now += timestamp_range;
    }
    const Shape* const shape = find_shape(identity_.kind, id);
    if (!shape) return stop("an event is of no known type");
    const auto payload = payload_size(*shape, rest.subspan(bytes));
    if (!payload) return stop("its last event is cut");
    event.type = shape->type;
    event.timestamp = now;
    event.payload = rest.subspan(bytes, *payload);
    now_ = now;
    at_ += bytes + *payload;
    return true;
}

Result<uint64_t> repair(int directory, const std::string& name) {
    auto reader = StreamReader::open(directory, name);
    if (!reader) return std::move(reader).error();
    Event event;
    while ((*reader)->next(event)) {
    }
    const ScopedFd file(openat(directory, name.c_str(), O_RDWR | O_CLOEXEC));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0)
        return Error::from_errno("open the stream " + name, errno);
    if ((*reader)->damage().empty()) return uint64_t{0};
    const auto size = static_cast<uint64_t>(status.st_size);
    const bool has_packet = (*reader)->last_event_end() != 0;
    const uint64_t content_end = has_packet ? (*reader)->last_event_end() : 0;
    const uint64_t packet_end = has_packet ? (*reader)->packet_end() : 0;
    // The last packet becomes whole again, with less in it.
    if (ftruncate(file.get(), static_cast<off_t>(packet_end)) != 0)
        return Error::from_errno("write the stream " + name, errno);
    if (has_packet) {
        const uint64_t packet_begin = packet_end - packet_bytes;
        const uint64_t content_bits = (content_end - packet_begin) * 8;
        const auto at = static_cast<off_t>(packet_begin + offsetof(PacketHeader, content_bits));
        if (pwrite(file.get(), &content_bits, sizeof content_bits, at) !=
            static_cast<ssize_t>(sizeof content_bits))
            return Error::from_errno("write the stream " + name, errno);
    }
    return size > content_end ? size - content_end : 0;
}

}  // namespace spyglass::ctf

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "wire/message.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "base/bytes.h"

namespace spyglass::wire {

namespace {

constexpr size_t max_descriptors = 4;

struct FrameHeader {
    uint32_t body_bytes;
    MessageKind kind;
    uint16_t reserved;
};
static_assert(sizeof(FrameHeader) == 8);

Error closed() {
    return Error("the other side closed the channel").code("closed");
}
Error damaged() {
    return Error("a message on the channel is damaged").code("damaged-message");
}

Result<void> send_bytes(int socket, const void* data, size_t bytes,
                        std::span<const int> descriptors) {
    const char* at = static_cast<const char*>(data);
    while (bytes != 0) {
        iovec part{const_cast<char*>(at), bytes};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        alignas(cmsghdr) unsigned char control[CMSG_SPACE(sizeof(int) * max_descriptors)] = {};
        if (!descriptors.empty()) {
            message.msg_control = control;
            message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
            cmsghdr* const header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
            memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
        }
        const ssize_t count = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && (errno == EPIPE || errno == ECONNRESET)) return closed();
        if (count < 0) return Error::from_errno("send a message", errno);
        at += count;
        bytes -= static_cast<size_t>(count);
        descriptors = {};
    }
    return {};
}

Result<void> receive_bytes(int socket, void* to, size_t bytes, std::vector<ScopedFd>& descriptors) {
    char* at = static_cast<char*>(to);
    while (bytes != 0) {
        iovec part{at, bytes};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        alignas(cmsghdr) unsigned char control[CMSG_SPACE(sizeof(int) * max_descriptors)];
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        const ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (count < 0 && errno == EINTR) continue;
        if (count == 0 || (count < 0 && errno == ECONNRESET)) return closed();
        if (count < 0) return Error::from_errno("receive a message", errno);
        for (cmsghdr* header = CMSG_FIRSTHDR(&message); header;
             header = CMSG_NXTHDR(&message, header)) {
            if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
            const size_t received = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t i = 0; i < received; ++i) {
                int fd = -1;
                memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
                descriptors.emplace_back(fd);
            }
        }
        at += count;
        bytes -= static_cast<size_t>(count);
    }
    return {};
}

template <class T>
void write_numbers(ByteWriter& to, const std::vector<T>& values) {
    to.number(static_cast<uint32_t>(values.size()));
    for (const T value : values) to.number(value);
}

std::vector<uint64_t> read_numbers(ByteReader& from) {
    std::vector<uint64_t> values(from.count(sizeof(uint64_t)));
    for (uint64_t& value : values) value = from.number<uint64_t>();
    return values;
}

}  // namespace

Result<void> send(int socket, MessageKind kind, std::span<const std::byte> body,
                  std::span<const int> descriptors) {
    if (body.size() > max_message_bytes || descriptors.size() > max_descriptors) {
        return Error("the message is too large for the channel");
    }
    const FrameHeader header{static_cast<uint32_t>(body.size()), kind, 0};
    if (auto done = send_bytes(socket, &header, sizeof header, descriptors); !done) return done;
    return send_bytes(socket, body.data(), body.size(), {});
}

Result<void> send_text(int socket, MessageKind kind, const std::string& text) {
    return send(socket, kind, std::as_bytes(std::span(text)));
}

Result<Message> receive(int socket) {
    Message message;
    FrameHeader header;
    if (auto done = receive_bytes(socket, &header, sizeof header, message.descriptors); !done) {
        return std::move(done).error();
    }
    if (header.body_bytes > max_message_bytes) return damaged();
    message.kind = header.kind;
    message.body.resize(header.body_bytes);
    if (auto done =
            receive_bytes(socket, message.body.data(), message.body.size(), message.descriptors);
        !done) {
        return std::move(done).error();
    }
    return message;
}

std::vector<std::byte> encode(const Hello& hello) {
    ByteWriter to;
    to.number(hello.protocol);
    to.number(hello.action_timeout_ms);
    to.number(hello.max_map_keys);
    to.number(static_cast<uint8_t>(hello.drop_instead_of_wait));
    return to.take();
}

Result<Hello> decode_hello(std::span<const std::byte> bytes) {
    ByteReader from(bytes);
    Hello hello;
    hello.protocol = from.number<uint32_t>();
    hello.action_timeout_ms = from.number<uint32_t>();
    hello.max_map_keys = from.number<uint64_t>();
    hello.drop_instead_of_wait = from.number<uint8_t>() != 0;
    if (!from.finished()) return damaged();
    return hello;
}

std::vector<std::byte> encode(const HelloAck& ack) {
    ByteWriter to;
    to.number(ack.protocol);
    to.number(ack.python_version_hex);
    to.number(ack.interpreters);
    to.number(ack.control_thread);
    to.text(ack.working_directory);
    return to.take();
}

Result<HelloAck> decode_hello_ack(std::span<const std::byte> bytes) {
    ByteReader from(bytes);
    HelloAck ack;
    ack.protocol = from.number<uint32_t>();
    ack.python_version_hex = from.number<uint32_t>();
    ack.interpreters = from.number<uint32_t>();
    ack.control_thread = from.number<int32_t>();
    ack.working_directory = from.text();
    if (!from.finished()) return damaged();
    return ack;
}

std::vector<std::byte> encode(const InstallFailed& failed) {
    ByteWriter to;
    to.number(failed.clause);
    to.number(failed.line);
    to.number(failed.column);
    to.number(static_cast<uint8_t>(failed.in_predicate));
    to.text(failed.text);
    return to.take();
}

Result<InstallFailed> decode_install_failed(std::span<const std::byte> bytes) {
    ByteReader from(bytes);
    InstallFailed failed;
    failed.clause = from.number<uint32_t>();
    failed.line = from.number<uint32_t>();
    failed.column = from.number<uint32_t>();
    failed.in_predicate = from.number<uint8_t>() != 0;
    failed.text = from.text();
    if (!from.finished()) return damaged();
    return failed;
}

std::vector<std::byte> encode(const Ended& ended) {
    ByteWriter to;
    to.number(ended.reason);
    write_numbers(to, ended.clause_hits);
    write_numbers(to, ended.clause_sites);
    write_numbers(to, ended.clause_errors);
    write_numbers(to, ended.clause_skipped);
    to.number(static_cast<uint32_t>(ended.nearest_names.size()));
    for (const std::string& name : ended.nearest_names) to.text(name);
    return to.take();
}

Result<Ended> decode_ended(std::span<const std::byte> bytes) {
    ByteReader from(bytes);
    Ended ended;
    const auto reason = from.number<uint8_t>();
    if (reason > static_cast<uint8_t>(EndReason::program_ended)) return damaged();
    ended.reason = static_cast<EndReason>(reason);
    ended.clause_hits = read_numbers(from);
    ended.clause_sites = read_numbers(from);
    ended.clause_errors = read_numbers(from);
    ended.clause_skipped = read_numbers(from);
    ended.nearest_names.resize(from.count(sizeof(uint32_t)));
    for (std::string& name : ended.nearest_names) name = from.text();
    if (!from.finished()) return damaged();
    return ended;
}

}  // namespace spyglass::wire

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "ctf/stream_writer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace spyglass::ctf {

namespace {

constexpr uint64_t window_packets = 256;
constexpr size_t window_bytes = window_packets * packet_bytes;

// Not inside of a character of UTF-8: the place at most three bytes before `at`.
size_t character_begin(std::string_view text, size_t at) {
    const auto continues = [&](size_t i) {
        return (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
    };
    for (int steps = 0; steps < 3 && at > 0 && continues(at); ++steps) --at;
    return at;
}

}  // namespace

Result<std::unique_ptr<StreamWriter>> StreamWriter::create(int directory, const std::string& name,
                                                           const StreamIdentity& identity,
                                                           uint64_t now) {
    ScopedFd file(
        openat(directory, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!file) return Error::from_errno("create the stream " + name, errno);
    std::unique_ptr<StreamWriter> writer(new StreamWriter(std::move(file), identity));
    if (!writer->next_packet(now, 0)) {
        const int failure = writer->failure_;
        unlinkat(directory, name.c_str(), 0);
        return Error::from_errno("write the stream " + name, failure);
    }
    return writer;
}

StreamWriter::~StreamWriter() {
    if (window_) munmap(window_, window_bytes);
}

void StreamWriter::abandon() {
    if (window_) munmap(window_, window_bytes);
    window_ = nullptr;
    cursor_ = end_ = packet_ = nullptr;
    header_ = nullptr;
    file_.reset();
    failure_ = EBADF;
}

bool StreamWriter::lose() {
    ++discarded_;
    if (header_) std::atomic_ref(header_->discarded).store(discarded_, std::memory_order_relaxed);
    return false;
}

bool StreamWriter::map_window() {
    if (window_) munmap(window_, window_bytes);
    void* const window = mmap(nullptr, window_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                              file_.get(), static_cast<off_t>(sequence_ * packet_bytes));
    if (window == MAP_FAILED) {
        window_ = nullptr;
        failure_ = errno;
        packet_ = cursor_ = end_ = nullptr;
        header_ = nullptr;
        return false;
    }
    window_ = static_cast<std::byte*>(window);
    window_first_ = sequence_;
    return true;
}

bool StreamWriter::next_packet(uint64_t now, size_t event_bytes) {
    if (failure_ != 0) return lose();
    if (event_bytes > packet_bytes - sizeof(PacketHeader)) return lose();
    const int saved_errno = errno;
    alignas(PacketHeader) std::byte page[packet_bytes] = {};
    const PacketHeader header = {packet_magic,
                                 static_cast<uint32_t>(identity_.kind),
                                 identity_.instance,
                                 std::max(now, last_),
                                 sizeof(PacketHeader) * 8,
                                 packet_bytes * 8,
                                 sequence_,
                                 discarded_,
                                 identity_.tid,
                                 0};
    memcpy(page, &header, sizeof header);
    const auto offset = static_cast<off_t>(sequence_ * packet_bytes);
    const ssize_t written = pwrite(file_.get(), page, sizeof page, offset);
    if (written != static_cast<ssize_t>(sizeof page)) {
        failure_ = written < 0 ? errno : ENOSPC;
        // What is there of it is no packet.
        if (written > 0) (void)!ftruncate(file_.get(), offset);
    } else if (!window_ || sequence_ - window_first_ == window_packets) {
        map_window();
    }
    errno = saved_errno;
    if (failure_ != 0) return event_bytes == 0 ? false : lose();
    packet_ = window_ + (sequence_ - window_first_) * packet_bytes;
    header_ = reinterpret_cast<PacketHeader*>(packet_);
    cursor_ = packet_ + sizeof(PacketHeader);
    end_ = packet_ + packet_bytes;
    last_ = header.timestamp_begin;
    ++sequence_;
    return true;
}

bool StreamWriter::extended_event(unsigned id, uint64_t now, const void* payload,
                                  size_t payload_bytes) {
    const size_t bytes = extended_header_bytes + payload_bytes;
    if (cursor_ + bytes > end_ && !next_packet(now, bytes)) return false;
    const auto mark = static_cast<std::byte>(extended_id);
    const uint32_t wide_id = id;
    memcpy(cursor_, &mark, 1);
    memcpy(cursor_ + 1, &wide_id, sizeof wide_id);
    memcpy(cursor_ + 5, &now, sizeof now);
    memcpy(cursor_ + extended_header_bytes, payload, payload_bytes);
    commit(bytes, now);
    return true;
}

Payload& Payload::text(std::string_view value) {
    constexpr std::string_view cut = "...";
    std::byte* const at = bytes_ + size_;
    if (value.size() <= max_text_bytes) {
        memcpy(at, value.data(), value.size());
        size_ += value.size();
    } else {
        constexpr size_t half = (max_text_bytes - cut.size()) / 2;
        const std::string_view front = value.substr(0, character_begin(value, half));
        const std::string_view back = value.substr(character_begin(value, value.size() - half + 3));
        for (const std::string_view piece : {front, cut, back}) {
            memcpy(bytes_ + size_, piece.data(), piece.size());
            size_ += piece.size();
        }
    }
    // A zero byte would end the text for every reader.
    std::replace(at, bytes_ + size_, std::byte{0}, std::byte{'?'});
    bytes_[size_++] = std::byte{0};
    return *this;
}

}  // namespace spyglass::ctf

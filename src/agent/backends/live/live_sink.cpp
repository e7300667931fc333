// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/backends/live/live_sink.h"

#include <algorithm>

namespace spyglass::agent::backends {

namespace {

// Slices of the wait, so that `close` is noticed soon.
constexpr uint64_t slice_ns = 10'000'000;

uint32_t thread_id() {
    thread_local const auto id = static_cast<uint32_t>(syscall(SYS_gettid));
    return id;
}

}  // namespace

WriteResult LiveSink::write(wire::RecordKind kind, uint16_t clause, bool more,
                            std::string_view fragment) {
    return ring_.write(kind, clause, more, thread_id(), fragment) ? WriteResult::written
                                                                  : WriteResult::full;
}

bool LiveSink::wait_for_space(uint64_t timeout_ns) {
    waiting_.fetch_add(1);
    bool room = false;
    while (timeout_ns != 0 && !closed_.load() && !room) {
        const uint64_t slice = std::min(timeout_ns, slice_ns);
        room = ring_.wait_for_space(slice);
        timeout_ns -= slice;
    }
    waiting_.fetch_sub(1);
    return room;
}

void LiveSink::close() {
    closed_.store(true);
    while (waiting_.load() != 0) {
        const timespec a_moment{0, 1'000'000};
        nanosleep(&a_moment, nullptr);
    }
}

}  // namespace spyglass::agent::backends

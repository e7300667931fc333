// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "wire/message.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

namespace spyglass::wire {
namespace {

struct Pair {
    Pair() {
        int fds[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
        a = ScopedFd(fds[0]);
        b = ScopedFd(fds[1]);
    }
    ScopedFd a;
    ScopedFd b;
};

TEST(Message, BodiesAndDescriptorsArrive) {
    Pair pair;
    const ScopedFd event(eventfd(5, EFD_CLOEXEC));
    const int descriptors[] = {event.get()};
    ASSERT_TRUE(send(pair.a.get(), MessageKind::hello, encode(Hello{}), descriptors));
    auto message = receive(pair.b.get());
    ASSERT_TRUE(message);
    EXPECT_EQ(message->kind, MessageKind::hello);
    ASSERT_EQ(message->descriptors.size(), 1u);
    uint64_t count = 0;
    EXPECT_EQ(read(message->descriptors[0].get(), &count, sizeof count),
              static_cast<ssize_t>(sizeof count));
    EXPECT_EQ(count, 5u);
    EXPECT_TRUE(decode_hello(message->body));
}

TEST(Message, LargeBodiesCrossWhole) {
    Pair pair;
    const std::string text(5 << 20, 'x');
    std::thread sender([&] { EXPECT_TRUE(send_text(pair.a.get(), MessageKind::sites, text)); });
    auto message = receive(pair.b.get());
    sender.join();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->body.size(), text.size());
}

TEST(Message, EndOfFileHasItsCode) {
    Pair pair;
    pair.a.reset();
    EXPECT_EQ(receive(pair.b.get()).error().code(), "closed");
    EXPECT_EQ(send_text(pair.b.get(), MessageKind::notice, "x").error().code(), "closed");
}

TEST(Message, ASizeBeyondTheBoundIsRefused) {
    Pair pair;
    const uint32_t frame[] = {max_message_bytes + 1, 1};
    ASSERT_EQ(write(pair.a.get(), frame, sizeof frame), static_cast<ssize_t>(sizeof frame));
    EXPECT_EQ(receive(pair.b.get()).error().code(), "damaged-message");
}

TEST(Message, EndedKeepsItsLists) {
    Ended ended;
    ended.reason = EndReason::exit_called;
    ended.clause_hits = {1, 2};
    ended.nearest_names = {"", "near"};
    const auto decoded = decode_ended(encode(ended));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->reason, EndReason::exit_called);
    EXPECT_EQ(decoded->clause_hits, ended.clause_hits);
    EXPECT_EQ(decoded->nearest_names, ended.nearest_names);
    EXPECT_FALSE(decode_ended({}));
}

}  // namespace
}  // namespace spyglass::wire

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/safe_point.h"

#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/syscall.h>

namespace spyglass::attach {
namespace {

WhereBouts waiting(long number, uint64_t second = 0, uint64_t fourth = 0) {
    WhereBouts where;
    where.kind = WhereBouts::Kind::in_call;
    where.number = number;
    where.arguments[1] = second;
    where.arguments[3] = fourth;
    where.program_counter = 0x1000;
    return where;
}

Mapping image(const char* path) {
    Mapping mapping;
    mapping.begin = 0;
    mapping.end = 0x2000;
    mapping.path = path;
    return mapping;
}

TEST(SafePoint, WaitsForTheOutsideWorldMayBeBorrowed) {
    for (const long number : {SYS_read, SYS_poll, SYS_epoll_wait, SYS_clock_nanosleep, SYS_wait4}) {
        EXPECT_EQ(why_not_borrow_waiting(waiting(number), {image("/lib/libc.so.6")}), "") << number;
    }
    EXPECT_NE(why_not_borrow_waiting(waiting(SYS_mmap), {image("/lib/libc.so.6")}), "");
}

TEST(SafePoint, LocksOfLibcAreLeftAlone) {
    EXPECT_EQ(why_not_borrow_waiting(waiting(SYS_futex, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG),
                                     {image("libc.so.6")}),
              "");
    EXPECT_NE(why_not_borrow_waiting(waiting(SYS_futex, FUTEX_WAIT | FUTEX_PRIVATE_FLAG),
                                     {image("libc.so.6")}),
              "");
}

TEST(SafePoint, TheDynamicLoaderIsLeftAlone) {
    EXPECT_NE(why_not_borrow_waiting(waiting(SYS_read), {image("/lib64/ld-linux-x86-64.so.2")}),
              "");
    EXPECT_NE(
        why_not_borrow_waiting(waiting(SYS_read), {image("/lib/x86_64-linux-gnu/ld-2.31.so")}), "");
}

TEST(SafePoint, OnlyEndlessWaitsOfEpollAreIssuedAgain) {
    EXPECT_TRUE(waits_without_end(waiting(SYS_epoll_wait, 0, static_cast<uint64_t>(-1))));
    EXPECT_FALSE(waits_without_end(waiting(SYS_epoll_wait, 0, 500)));
    EXPECT_FALSE(waits_without_end(waiting(SYS_read)));
}

}  // namespace
}  // namespace spyglass::attach

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "base/scoped_fd.h"
#include "wire/ring_reader.h"
#include "wire/ring_writer.h"

namespace spyglass::wire {
namespace {

class Ring : public testing::Test {
  protected:
    static constexpr uint64_t bytes = 4096;
    Ring() : words(bytes / 8), event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        header = std::make_unique<SessionHeader>();
        header->ring_bytes = bytes;
        data = reinterpret_cast<std::byte*>(words.data());
    }
    RingWriter writer() { return {header.get(), data, event.get()}; }
    RingReader reader() { return {header.get(), data, bytes}; }

    std::unique_ptr<SessionHeader> header;
    std::vector<uint64_t> words;
    ScopedFd event;
    std::byte* data;
};

TEST_F(Ring, RecordsArriveInOrderAcrossManyWraps) {
    auto to = writer();
    auto from = reader();
    std::mt19937 random(4);
    for (unsigned i = 0; i < 20000; ++i) {
        const std::string text(random() % 600, static_cast<char>('a' + i % 26));
        ASSERT_TRUE(to.write(RecordKind::print_out, 3, i % 2 != 0, i, text));
        Record record;
        ASSERT_TRUE(from.next(record));
        EXPECT_EQ(record.payload, text);
        EXPECT_EQ(record.thread, i);
        EXPECT_EQ(record.more, i % 2 != 0);
        EXPECT_FALSE(from.next(record));
        from.release();
    }
    EXPECT_EQ(header->records.load(), 20000u);
}

TEST_F(Ring, AFullRingRefusesAndLosesNothing) {
    auto to = writer();
    auto from = reader();
    int written = 0;
    while (to.write(RecordKind::print_out, 0, false, 0, std::string(100, 'x'))) ++written;
    EXPECT_GT(written, 20);
    Record record;
    int read = 0;
    while (from.next(record)) ++read;
    EXPECT_EQ(read, written);
    EXPECT_FALSE(to.write(RecordKind::print_out, 0, false, 0, "x"));
    from.release();
    EXPECT_TRUE(to.write(RecordKind::print_out, 0, false, 0, "x"));
}

TEST_F(Ring, AWriterThatWaitsIsWokenByTheReader) {
    auto to = writer();
    auto from = reader();
    while (to.write(RecordKind::print_out, 0, false, 0, std::string(100, 'x'))) {
    }
    std::thread reading([&] {
        uint64_t count = 0;
        while (read(event.get(), &count, sizeof count) < 0) std::this_thread::yield();
        Record record;
        while (from.next(record)) {
        }
        from.release();
    });
    EXPECT_TRUE(to.wait_for_space(60'000'000'000));
    reading.join();
}

TEST_F(Ring, AReaderThatSleepsIsWokenByTheWriter) {
    auto to = writer();
    auto from = reader();
    ASSERT_TRUE(from.prepare_to_wait());
    ASSERT_TRUE(to.write(RecordKind::print_out, 0, false, 0, "x"));
    uint64_t count = 0;
    EXPECT_EQ(read(event.get(), &count, sizeof count), static_cast<ssize_t>(sizeof count));
    from.awake();
    EXPECT_FALSE(from.prepare_to_wait());  // there is something to read
}

TEST_F(Ring, HostileContentIsDamageAndNeverACrash) {
    std::mt19937_64 random(5);
    for (int round = 0; round < 5000; ++round) {
        for (uint64_t& word : words) word = random() % 3 ? random() % 64 : random();
        header->written.store(random() % (2 * bytes));
        auto from = reader();
        Record record;
        for (int i = 0; i < 1000 && from.next(record); ++i) {
        }
    }
}

}  // namespace
}  // namespace spyglass::wire

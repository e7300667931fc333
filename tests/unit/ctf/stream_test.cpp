// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a StreamWriter wrote a StreamReader reads back: whole, while it is being written, and up to
// the last whole event when the file was cut anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <random>

#include "ctf/stream_reader.h"
#include "ctf/stream_writer.h"
#include "schema/python_events.h"
#include "schema/session_events.h"
#include "temporary_directory.h"

namespace spyglass::ctf {
namespace {

using schema::ThreadEventId;

constexpr unsigned id_of(ThreadEventId id) {
    return static_cast<unsigned>(id);
}
constexpr unsigned text_event = static_cast<unsigned>(schema::ProcessEventId::recording_end);

// An event as a model has it.
struct Written {
    unsigned id = 0;
    uint64_t time = 0;
    uint32_t region = 0;
    bool operator==(const Written&) const = default;
};

void PrintTo(const Written& each, std::ostream* out) {
    *out << "{" << each.id << " at " << each.time << ", region " << each.region << "}";
}

std::vector<Written> read_all(StreamReader& reader) {
    std::vector<Written> events;
    Event event;
    while (reader.next(event)) {
        Written each{event.type->id, event.timestamp, 0};
        if (!event.payload.empty()) each.region = event.fields().number<uint32_t>();
        events.push_back(each);
    }
    return events;
}

std::vector<Written> read_all(const TemporaryDirectory& folder) {
    auto reader = StreamReader::open(folder.fd(), "stream");
    EXPECT_TRUE(reader);
    return reader ? read_all(**reader) : std::vector<Written>{};
}

// Beginnings and ends with pauses of every order of magnitude: both headers, packets that end
// at every kind of event.
std::vector<Written> write_random(StreamWriter& writer, size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<Written> events;
    uint64_t now = 1'000'000;
    for (size_t i = 0; i < count; ++i) {
        now += random() % 64 == 0 ? random() % (uint64_t{1} << (random() % 40)) : random() % 300;
        const uint32_t region = static_cast<uint32_t>(random());
        if (random() % 2 == 0) {
            const schema::RegionPayload payload{region};
            EXPECT_TRUE(
                writer.event(id_of(ThreadEventId::function_begin), now, &payload, sizeof payload));
            events.push_back({id_of(ThreadEventId::function_begin), now, region});
        } else {
            EXPECT_TRUE(writer.event(id_of(ThreadEventId::function_end), now, nullptr, 0));
            events.push_back({id_of(ThreadEventId::function_end), now, 0});
        }
    }
    return events;
}

std::unique_ptr<StreamWriter> new_writer(const TemporaryDirectory& folder,
                                         const StreamIdentity& identity = {}) {
    auto writer = StreamWriter::create(folder.fd(), "stream", identity, 1'000'000);
    EXPECT_TRUE(writer);
    return writer ? std::move(*writer) : nullptr;
}

TEST(Stream, EventsAreReadBackWhileTheyAreWritten) {
    const TemporaryDirectory folder;
    const auto writer = new_writer(folder, {schema::StreamKind::thread, 7, 4711});
    // More than one window of the file is mapped for these.
    const auto events = write_random(*writer, 400'000, 1);
    auto reader = StreamReader::open(folder.fd(), "stream");
    ASSERT_TRUE(reader);
    EXPECT_EQ((*reader)->identity().kind, schema::StreamKind::thread);
    EXPECT_EQ((*reader)->identity().instance, 7u);
    EXPECT_EQ((*reader)->identity().tid, 4711u);
    EXPECT_EQ(read_all(**reader), events);
    EXPECT_EQ((*reader)->damage(), "");
    EXPECT_EQ((*reader)->discarded(), 0u);
}

TEST(Stream, TimeNeverGoesBack) {
    const TemporaryDirectory folder;
    const auto writer = new_writer(folder);
    EXPECT_TRUE(writer->event(id_of(ThreadEventId::function_end), 2'000'000, nullptr, 0));
    EXPECT_TRUE(writer->event(id_of(ThreadEventId::function_end), 1'500'000, nullptr, 0));
    const auto events = read_all(folder);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[1].time, 2'000'000u);
}

TEST(Stream, LongTextsAreCutInTheMiddleAtWholeCharacters) {
    const TemporaryDirectory folder;
    const auto writer = new_writer(folder, {schema::StreamKind::process, 0, 0});
    std::string text = "begin";
    while (text.size() < 2 * max_text_bytes) text += "\u20ac";
    text += "end";
    Payload payload;
    payload.text(text);
    ASSERT_TRUE(writer->event(text_event, 2'000'000, payload.data(), payload.size()));
    auto reader = StreamReader::open(folder.fd(), "stream");
    ASSERT_TRUE(reader);
    Event event;
    ASSERT_TRUE((*reader)->next(event));
    const std::string_view read = event.fields().text();
    EXPECT_LE(read.size(), max_text_bytes);
    EXPECT_THAT(read, testing::StartsWith("begin\u20ac"));
    EXPECT_THAT(read, testing::HasSubstr("\u20ac...\u20ac"));
    EXPECT_THAT(read, testing::EndsWith("\u20acend"));
}

TEST(Stream, ZeroBytesInTextsAreReplaced) {
    const TemporaryDirectory folder;
    const auto writer = new_writer(folder, {schema::StreamKind::process, 0, 0});
    Payload payload;
    payload.text(std::string_view("a\0b", 3));
    ASSERT_TRUE(writer->event(text_event, 2'000'000, payload.data(), payload.size()));
    auto reader = StreamReader::open(folder.fd(), "stream");
    ASSERT_TRUE(reader);
    Event event;
    ASSERT_TRUE((*reader)->next(event));
    EXPECT_EQ(event.fields().text(), "a?b");
}

TEST(Stream, CutAnywhereItIsAPrefixAndCanBeRepaired) {
    const TemporaryDirectory folder;
    auto writer = new_writer(folder);
    const auto events = write_random(*writer, 3'000, 2);
    writer.reset();
    const auto whole = std::filesystem::file_size(folder.path("stream"));
    std::mt19937_64 random(3);
    for (int round = 0; round < 400; ++round) {
        const TemporaryDirectory copy;
        // Near the boundaries of packets more often than elsewhere.
        uint64_t size = random() % (whole + 1);
        if (round % 4 == 0)
            size = std::min<uint64_t>(whole, size / packet_bytes * packet_bytes + random() % 80);
        std::filesystem::copy_file(folder.path("stream"), copy.path("stream"));
        std::filesystem::resize_file(copy.path("stream"), size);
        const auto read = read_all(copy);
        ASSERT_LE(read.size(), events.size());
        ASSERT_TRUE(std::equal(read.begin(), read.end(), events.begin())) << "cut at " << size;
        const auto went = repair(copy.fd(), "stream");
        ASSERT_TRUE(went) << "cut at " << size << ": " << went.error().message();
        auto reader = StreamReader::open(copy.fd(), "stream");
        ASSERT_TRUE(reader);
        ASSERT_EQ(read_all(**reader), read) << "cut at " << size;
        ASSERT_EQ((*reader)->damage(), "") << "cut at " << size;
        ASSERT_EQ(std::filesystem::file_size(copy.path("stream")) % packet_bytes, 0u);
    }
}

TEST(Stream, DamagedBytesEndTheReadingWithoutHarm) {
    const TemporaryDirectory folder;
    auto writer = new_writer(folder);
    const auto events = write_random(*writer, 3'000, 4);
    writer.reset();
    const ScopedFd file(openat(folder.fd(), "stream", O_RDWR | O_CLOEXEC));
    const auto size = std::filesystem::file_size(folder.path("stream"));
    std::mt19937_64 random(5);
    for (int round = 0; round < 2'000; ++round) {
        const auto at = static_cast<off_t>(random() % size);
        const auto byte = static_cast<uint8_t>(random());
        ASSERT_EQ(pwrite(file.get(), &byte, 1, at), 1);
        if (auto reader = StreamReader::open(folder.fd(), "stream")) read_all(**reader);
    }
}

TEST(Stream, OtherFilesAreNoStreams) {
    const TemporaryDirectory folder;
    const ScopedFd file(openat(folder.fd(), "stream", O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    const std::string text(10'000, 'x');
    ASSERT_EQ(write(file.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    const auto reader = StreamReader::open(folder.fd(), "stream");
    ASSERT_FALSE(reader);
    EXPECT_THAT(reader.error().message(), testing::HasSubstr("is not a stream"));
}

// Writes until the file may not grow any more, in a process of its own for its limit; `body` says
// what must hold of the writer then, by the exit status.
template <class Body>
int in_child_with_file_limit(uint64_t bytes, const Body& body) {
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, bytes};
        _exit(setrlimit(RLIMIT_FSIZE, &limit) == 0 ? body() : 100);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(Stream, AFullDiskIsCountedAndNeverASignal) {
    const TemporaryDirectory folder;
    constexpr uint64_t room = 10 * packet_bytes + 100;
    const int status = in_child_with_file_limit(room, [&] {
        auto writer = StreamWriter::create(folder.fd(), "stream", {}, 1'000'000);
        if (!writer) return 1;
        uint64_t written = 0;
        while ((*writer)->event(id_of(ThreadEventId::function_end), 2'000'000, nullptr, 0))
            ++written;
        constexpr uint64_t in_one = (packet_bytes - sizeof(PacketHeader)) / compact_header_bytes;
        if (written != 10 * in_one) return 2;
        for (int i = 1; i < 1000; ++i) {
            if ((*writer)->event(id_of(ThreadEventId::function_end), 2'000'000, nullptr, 0))
                return 3;
        }
        if ((*writer)->failure() == 0) return 4;
        return (*writer)->discarded() == 1000 ? 0 : 5;
    });
    EXPECT_EQ(status, 0);
    auto reader = StreamReader::open(folder.fd(), "stream");
    ASSERT_TRUE(reader);
    read_all(**reader);
    EXPECT_EQ((*reader)->damage(), "");
    EXPECT_EQ((*reader)->discarded(), 1000u) << "the trace itself says what is missing";
}

TEST(Stream, KilledAtAnyInstantItHoldsAllThatWasRecorded) {
    std::mt19937_64 random(6);
    for (int round = 0; round < 40; ++round) {
        const TemporaryDirectory folder;
        auto* const done = static_cast<std::atomic<uint64_t>*>(
            mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
        const uint64_t enough = random() % 100'000;
        const pid_t child = fork();
        if (child == 0) {
            auto writer = StreamWriter::create(folder.fd(), "stream", {}, 1'000'000);
            if (!writer) _exit(1);
            for (uint32_t i = 0;; ++i) {
                const schema::RegionPayload payload{i};
                (*writer)->event(id_of(ThreadEventId::function_begin), 1'000'000 + i, &payload,
                                 sizeof payload);
                done->store(i + 1, std::memory_order_release);
            }
        }
        while (done->load(std::memory_order_acquire) <= enough) {
        }
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        const auto events = read_all(folder);
        ASSERT_GE(events.size(), done->load());
        for (uint32_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i].region, i);
        munmap(done, 4096);
    }
}

TEST(Stream, AChildAfterForkWritesNothing) {
    const TemporaryDirectory folder;
    const auto writer = new_writer(folder);
    const auto events = write_random(*writer, 100, 7);
    const pid_t child = fork();
    if (child == 0) {
        writer->abandon();
        _exit(writer->event(id_of(ThreadEventId::function_end), 9'000'000, nullptr, 0) ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read_all(folder), events);
}

}  // namespace
}  // namespace spyglass::ctf

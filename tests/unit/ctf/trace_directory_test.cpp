// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "ctf/trace_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "temporary_directory.h"

namespace spyglass::ctf {
namespace {

TEST(TraceDirectory, IsMadeWithItsParentsAndFoundAgain) {
    const TemporaryDirectory folder;
    const std::string path = folder.path("a/b/trace");
    ASSERT_TRUE(create_trace(path, {{"tracer", "spyglass"}}));
    std::ofstream(path + "/thread-2") << "x";
    std::ofstream(path + "/thread-1") << "x";
    std::ofstream(path + "/.hidden") << "x";
    const auto trace = open_trace(path);
    ASSERT_TRUE(trace);
    const auto streams = list_streams(trace->get());
    ASSERT_TRUE(streams);
    EXPECT_THAT(*streams, testing::ElementsAre("thread-1", "thread-2"));
}

TEST(TraceDirectory, NothingIsOverwritten) {
    const TemporaryDirectory folder;
    std::ofstream(folder.path("data")) << "precious";
    const auto made = create_trace(folder.path(""), {});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message(), testing::HasSubstr("is not empty"));
}

TEST(TraceDirectory, OtherDirectoriesAreNoTraces) {
    const TemporaryDirectory folder;
    EXPECT_FALSE(open_trace(folder.path("")));
    EXPECT_FALSE(open_trace(folder.path("none")));
}

}  // namespace
}  // namespace spyglass::ctf

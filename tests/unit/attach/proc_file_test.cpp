// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/proc_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "attach/memory_map.h"

namespace spyglass::attach {
namespace {

TEST(ProcFile, FieldsOfStatus) {
    const std::string status = "Name:\tpython3\nPPid:\t7\nPPid2:\t8\nEmpty:\n";
    EXPECT_EQ(status_field(status, "Name"), "python3");
    EXPECT_EQ(status_field(status, "PPid"), "7");
    EXPECT_EQ(status_field(status, "Empty"), "");
    EXPECT_EQ(status_field(status, "None"), "");
}

TEST(ProcFile, ThisProcess) {
    const auto threads = threads_of(getpid());
    ASSERT_TRUE(threads);
    EXPECT_EQ(threads->front(), getpid());
    EXPECT_EQ(thread_state(getpid(), getpid()), 'R');
    EXPECT_EQ(thread_state(getpid(), 1 << 30), 0);
    EXPECT_EQ(read_proc_file("/proc/1073741824/maps").error().code(), "target-exited");
}

TEST(MemoryMap, HoldsThisFunctionAndNames) {
    const auto map = read_memory_map(getpid());
    ASSERT_TRUE(map);
    const Mapping* const mapping = mapping_of(*map, reinterpret_cast<uint64_t>(&read_memory_map));
    ASSERT_NE(mapping, nullptr);
    EXPECT_TRUE(mapping->executable);
    EXPECT_FALSE(mapping->writable);
    EXPECT_EQ(mapping_of(*map, 1), nullptr);
}

}  // namespace
}  // namespace spyglass::attach

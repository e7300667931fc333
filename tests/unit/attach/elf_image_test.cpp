// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The reader on images of this very process, against what the dynamic loader says; and on damaged
// copies of one, which must end in an answer.
#include "attach/elf_image.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

#include <cstring>
#include <random>

namespace spyglass::attach {
namespace {

std::optional<ElfImage> libc_image() {
    const RemoteMemory memory(getpid());
    const auto map = read_memory_map(getpid());
    if (!map) return std::nullopt;
    for (const Mapping* start : image_starts(memory, *map)) {
        auto image = ElfImage::read(memory, start->begin);
        if (image && image->soname() == "libc.so.6") return std::move(*image);
    }
    return std::nullopt;
}

TEST(ElfImage, FindsWhatTheDynamicLoaderFinds) {
    const auto image = libc_image();
    ASSERT_TRUE(image);
    // Of this library alone: a sanitizer brings its own `malloc` and `dlopen`.
    void* const libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    ASSERT_TRUE(libc);
    for (const char* name : {"malloc", "dlopen", "pthread_create", "environ", "getpid"}) {
        const auto address = image->symbol(name);
        ASSERT_TRUE(address) << name;
        EXPECT_EQ(*address, reinterpret_cast<uint64_t>(dlsym(libc, name))) << name;
    }
    dlclose(libc);
    EXPECT_FALSE(image->symbol("no_such_symbol"));
    EXPECT_FALSE(image->symbol(""));
    EXPECT_FALSE(image->build_id().empty());
}

TEST(ElfImage, KnowsWhatIsExecutable) {
    const auto image = libc_image();
    ASSERT_TRUE(image);
    EXPECT_TRUE(image->executes_at(*image->symbol("malloc")));
    EXPECT_FALSE(image->executes_at(image->remote_base()));
    EXPECT_FALSE(image->executes_at(reinterpret_cast<uint64_t>(&getpid) + (1ull << 40)));
}

TEST(ElfImage, DamagedImagesEndInAnAnswer) {
    const auto image = libc_image();
    ASSERT_TRUE(image);
    std::vector<unsigned char> copy(1 << 16);
    const RemoteMemory memory(getpid());
    ASSERT_TRUE(memory.read(image->remote_base(), copy.data(), 1 << 12));
    std::mt19937 random(7);
    const std::vector<unsigned char> good = copy;
    for (int round = 0; round < 2000; ++round) {
        copy = good;
        for (int i = 0; i < 4; ++i)
            copy[4 + random() % 1000] = static_cast<unsigned char>(random());
        const auto bad = ElfImage::read(memory, reinterpret_cast<uint64_t>(copy.data()));
        if (bad) (void)bad->symbol("malloc");
    }
}

TEST(ElfImage, OtherMemoryIsRefused) {
    const char text[64] = "not an image";
    EXPECT_EQ(
        ElfImage::read(RemoteMemory(getpid()), reinterpret_cast<uint64_t>(text)).error().code(),
        "not-elf");
    EXPECT_FALSE(ElfImage::read(RemoteMemory(getpid()), 0x10));
}

}  // namespace
}  // namespace spyglass::attach

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "attach/arch/arch.h"
#include "attach/loader.h"
#include "attach/loader_blob/loader_bytes.h"

namespace spyglass::attach {
namespace {

TEST(LoaderCode, FitsItsPageAndBeginsWithTwoDoors) {
    const auto code = loader_code();
    EXPECT_LE(code.size(), static_cast<size_t>(LOADER_CODE_BYTES));
    ASSERT_GT(code.size(), loader_start_offset);
    constexpr auto jump_near = std::byte{0xe9};
    constexpr auto jump_short = std::byte{0xeb};
    for (const size_t door : {loader_entry_offset, loader_start_offset}) {
        EXPECT_TRUE(code[door] == jump_near || code[door] == jump_short) << door;
    }
}

TEST(Gadgets, AreFoundByTheirBytes) {
    const unsigned char code[] = {0x90, 0x0f, 0x05, 0xc3, 0x48, 0xc7, 0xc0,
                                  0x0f, 0,    0,    0,    0x0f, 0x05};
    EXPECT_EQ(arch::find_system_call(code), 1u);
    EXPECT_EQ(arch::find_signal_return(code), 4u);
    EXPECT_FALSE(arch::find_system_call(std::span(code).first(3)));
    EXPECT_FALSE(arch::find_signal_return(std::span(code).first(12)));
}

TEST(BuildId, OfThisProgramIsHexadecimal) {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    const std::string id = build_id_of(std::as_bytes(std::span(bytes)));
    EXPECT_EQ(id.size(), 40u);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(build_id_of({}), "");
    for (const size_t size : {size_t{64}, size_t{200}, size_t{1000}}) {
        (void)build_id_of(std::as_bytes(std::span(bytes)).first(size));
    }
}

}  // namespace
}  // namespace spyglass::attach

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace spyglass {
namespace {

TEST(Error, CausesReadFromTheOutsideIn) {
    const Error error = Error("no such file").because("read the map").because("attach to 5");
    EXPECT_EQ(error.message(), "attach to 5: read the map: no such file");
}

TEST(Error, TheInnermostRemedyAndCodeWin) {
    const Error error = Error("x").remedy("first").remedy("second").code("a").code("b");
    EXPECT_EQ(error.remedy(), "first");
    EXPECT_EQ(error.code(), "a");
}

TEST(Error, ErrnoIsNamedAndNumbered) {
    EXPECT_EQ(Error::from_errno("open x", ENOENT).message(),
              "open x: No such file or directory (2)");
}

TEST(Result, HoldsEither) {
    Result<std::string> value = std::string("v");
    ASSERT_TRUE(value);
    EXPECT_EQ(*value, "v");
    Result<std::string> failure = Error("e");
    ASSERT_FALSE(failure);
    EXPECT_EQ(failure.error().message(), "e");
    EXPECT_TRUE(Result<void>());
    EXPECT_FALSE(Result<void>(Error("e")));
}

}  // namespace
}  // namespace spyglass

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "language/passes/passes.h"
#include "language/python_text.h"

namespace spyglass::language {
namespace {

// The action's text up to where it ends, or "none".
std::string action(const std::string& text) {
    const PythonEnd end = find_action_end(text, 0);
    return end.end == std::string::npos ? "none" : text.substr(0, end.end);
}

TEST(ActionEnd, BracesInsideBracketsStringsAndCommentsDoNotCount) {
    EXPECT_EQ(action("print({1: {2: 3}}) }}"), "print({1: {2: 3}}) ");
    EXPECT_EQ(action("x = {}}}"), "x = {}");
    EXPECT_EQ(action("\"}}\" }}"), "\"}}\" ");
    EXPECT_EQ(action("'''\n}}''' }}"), "'''\n}}''' ");
    EXPECT_EQ(action("# }}\nx }}"), "# }}\nx ");
    EXPECT_EQ(action("r'\\' + 'a' }}"), "none");  // the string swallows its quote, as in Python
}

TEST(ActionEnd, FormattedStrings) {
    EXPECT_EQ(action("f\"{{x}}\" }}"), "f\"{{x}}\" ");
    EXPECT_EQ(action("f'{ {1: 2}[1] }' }}"), "f'{ {1: 2}[1] }' ");
    EXPECT_EQ(action("f'{d['k']}' }}"), "f'{d['k']}' ");  // PEP 701
    EXPECT_EQ(action("f'{x:{w}}' }}"), "f'{x:{w}}' ");
    EXPECT_EQ(action("rf'{x}' }}"), "rf'{x}' ");
}

TEST(ActionEnd, WhatIsOpenIsNamed) {
    EXPECT_EQ(find_action_end("print( }}", 0).open_at, 5u);
    EXPECT_TRUE(find_action_end("x = 'abc }}", 0).open_is_string);
}

TEST(Dedent, CommonMarginIsRemoved) {
    EXPECT_EQ(dedent("\n    a\n      b\n\n    c\n"), "\na\n  b\n\nc\n");
    EXPECT_EQ(dedent(" a; b "), "a; b ");
}

TEST(Dedent, TheFirstStatementMayStandOnTheLineOfTheBraces) {
    EXPECT_EQ(dedent(" a\n    b\n    c"), "a\nb\nc");
    EXPECT_EQ(dedent(" if a:\n  b\n  c\n"), "if a:\n    b\n    c\n");
}

}  // namespace
}  // namespace spyglass::language

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Programs as users of the reference write them: they must parse, with these clauses.
#include <gtest/gtest.h>

#include "language/language.h"

namespace spyglass::language {
namespace {

struct Example {
    const char* text;
    size_t clauses;
};

constexpr Example examples[] = {
    {"func:*:start {{ print(qualname()) }}", 1},
    {"\nfunc:mymodule.*:start {{ print(\"->\", funcname(), args()) }}\nfunc:mymodule.*:return {{ "
     "print(\"<-\", funcname()) }}\n",
     2},
    {"func:*:start {{ maps.calls[qualname()] = agg.count() }}", 1},
    {"\nfunc:mymodule.myfunc:start {{\n    arg0 = next(iter(args().values()))\n    vars.maxval = "
     "agg.max(arg0)\n}}\n"
     "pymontrace::END {{\n    print(\"max =\", vars.maxval)\n}}\n",
     2},
    {"func:__main__.g:return {{\n    end = vars.monotime()\n    i = vars.get_ident()\n"
     "    if (start := vars.threads.pop(i, 0)) != 0:\n"
     "        maps.calls[i] = agg.quantize((end - start) / 1000 / 1000)\n}}",
     1},
    {"pymontrace::BEGIN {{ import gc; print(gc.get_stats()); exit() }}", 1},
    {"line:*/some-file.py:123 {{\n    print(\"a =\", ctx.a)\n    if b is not None:\n        vars.b "
     "= agg.count()\n}}",
     1},
    {"line:*/target.py:4 {{ ... }}", 1},
};

TEST(Examples, Parse) {
    for (const Example& example : examples) {
        const Parsed parsed = parse(SourceText("-e", example.text));
        EXPECT_TRUE(parsed.diagnostics.empty()) << example.text;
        EXPECT_EQ(parsed.program.clauses.size(), example.clauses) << example.text;
    }
}

}  // namespace
}  // namespace spyglass::language

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/region.h"

#include <gtest/gtest.h>

#include "configured.h"

namespace spyglass::config {
namespace {

uint32_t rank(const std::string& region, const FunctionName& name) {
    const auto parsed = parse_region(region);
    EXPECT_TRUE(std::holds_alternative<Region>(parsed)) << region;
    return how_specifically(std::get<Region>(parsed), name);
}

TEST(Region, TheMoreSpecificNameWins) {
    const FunctionName name = function("Solver.run", "pkg.solver", "solver.py", 12);
    const uint32_t pattern = rank("Python:Solver.*", name);
    const uint32_t plain = rank("Python:Solver.run", name);
    const uint32_t module = rank("Python:pkg.solver.Solver.run", name);
    const uint32_t file = rank("Python:solver.py:Solver.run", name);
    EXPECT_GT(pattern, 0u);
    EXPECT_GT(plain, pattern);
    EXPECT_GT(module, plain);
    EXPECT_GT(file, module);
    EXPECT_GT(rank("Python:Solver.ru?", name), pattern) << "more literal characters";
}

TEST(Region, OtherFunctionsAreNotMeant) {
    const FunctionName name = function("Solver.run", "pkg.solver", "solver.py");
    for (const char* other : {"Python:run", "Python:Solver", "Python:solver.Solver.run",
                              "Python:other.py:Solver.run", "Python:Solver.runs", "Python:pkg.*.go",
                              "Python:other.py:*", "0x401234", "OpenMP:0x401234"}) {
        EXPECT_EQ(rank(other, name), 0u) << other;
    }
    EXPECT_GT(rank("Python:pkg.*", name), 0u) << "a pattern sees the module as well";
    EXPECT_EQ(rank("Python:solver.py:pkg.*", name), 0u) << "beside a file it is the name alone";
}

TEST(Region, TheMainScriptHasTwoModuleNames) {
    FunctionName name = function("main", "__main__", "app.py");
    name.main_stem = "app";
    EXPECT_GT(rank("Python:__main__.main", name), rank("Python:main", name));
    EXPECT_GT(rank("Python:app.main", name), rank("Python:main", name));
    EXPECT_GT(rank("Python:app.*", name), 0u);
}

TEST(Region, ALambdaIsNamedByItsLine) {
    const FunctionName name = function("outer.<locals>.<lambda>", "m", "m.py", 12);
    const uint32_t by_line = rank("Python:m.py:<lambda>@12", name);
    EXPECT_GT(by_line, rank("Python:m.py:outer.<locals>.<lambda>", name));
    EXPECT_EQ(by_line, rank("Python:m.py:outer.<locals>.<lambda>@12", name));
    EXPECT_EQ(rank("Python:m.py:<lambda>@13", name), 0u);
    EXPECT_EQ(rank("Python:n.py:<lambda>@12", name), 0u);
    EXPECT_EQ(rank("Python:m.py:<lambda>@12", function("outer", "m", "m.py", 12)), 0u);
}

TEST(Region, AddressesAreOfDomainsThatHaveThem) {
    FunctionName name;
    name.domain = schema::DomainId::openmp;
    name.address = 0x401234;
    EXPECT_GT(rank("0x401234", name), 0u);
    EXPECT_GT(rank("OpenMP:0X401234", name), 0u);
    EXPECT_EQ(rank("CUDA:0x401234", name), 0u);
    EXPECT_EQ(rank("0x401235", name), 0u);
}

TEST(Region, ComesBackAsItWasWritten) {
    for (const char* text : {"Python:main.<locals>.do_work", "Python:solver.py:Solver.*",
                             "Python:m.py:<lambda>@3", "OpenMP:0x40", "0xdeadbeef"}) {
        EXPECT_EQ(std::get<Region>(parse_region(text)).text(), text);
    }
    EXPECT_EQ(std::get<Region>(parse_region(" python : solver.py : f ")).text(),
              "Python:solver.py:f");
}

TEST(Region, MistakesAreNamed) {
    const std::pair<const char*, const char*> mistakes[] = {
        {"compute", "names no domain"},
        {"Pithon:f", "is not a domain"},
        {"Python:", "is not the name"},
        {"Python:solver:f", "base name of a Python file"},
        {"Python:a/b.py:f", "base name"},
        {"Python:m.py:f:g", "is not the name"},
        {"Python:f@12", "a line number is for"},
        {"Python:m.py:f@12", "a line number is for"},
        {"Python:m.py:<lambda>@0", "a line"},
        {"OpenMP:compute", "is not a code address"},
        {"0x", "names no domain"},
        {"0xfffffffffffffffff", "names no domain"},
    };
    for (const auto& [text, message] : mistakes) {
        const auto result = parse_region(text);
        ASSERT_TRUE(std::holds_alternative<RegionMistake>(result)) << text;
        EXPECT_NE(std::get<RegionMistake>(result).message.find(message), std::string::npos)
            << text << ": " << std::get<RegionMistake>(result).message;
    }
}

}  // namespace
}  // namespace spyglass::config

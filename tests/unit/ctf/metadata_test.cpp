// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "ctf/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "schema/event.h"

namespace spyglass::ctf {
namespace {

using testing::HasSubstr;

TEST(Metadata, EveryEventOfEveryStreamIsDescribed) {
    const std::string text = metadata({}, 0);
    EXPECT_EQ(text.rfind("/* CTF 1.8 */", 0), 0u);
    for (unsigned i = 0; i < schema::stream_kind_count; ++i) {
        std::set<unsigned> ids;
        for (const schema::EventType& event :
             schema::event_types(static_cast<schema::StreamKind>(i))) {
            EXPECT_THAT(text, HasSubstr("name = \"" + std::string(event.name) + "\""));
            EXPECT_LE(event.id, schema::max_event_id);
            EXPECT_TRUE(ids.insert(event.id).second) << event.name << " has the number of another";
        }
    }
}

TEST(Metadata, ClockOffsetIsSplitIntoSecondsAndRest) {
    const std::string text = metadata({}, 1'700'000'000'123'456'789u);
    EXPECT_THAT(text, HasSubstr("offset_s = 1700000000;"));
    EXPECT_THAT(text, HasSubstr("offset = 123456789;"));
}

TEST(Metadata, ValuesAreQuoted) {
    const std::string text = metadata({{"command", "say \"a\\b\"\n"}}, 0);
    EXPECT_THAT(text, HasSubstr(R"(command = "say \"a\\b\" ";)"));
}

}  // namespace
}  // namespace spyglass::ctf

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "schema/domain.h"

namespace spyglass::schema {
namespace {

TEST(Domains, StandInTheOrderOfTheirIds) {
    for (size_t i = 0; i < domains().size(); ++i) {
        EXPECT_EQ(static_cast<size_t>(domains()[i].id), i);
    }
}

TEST(Domains, HaveDistinctEventsThatFitASet) {
    for (const Domain& each : domains()) {
        EXPECT_LE(each.events.size(), max_events);
        std::set<std::string_view> names;
        for (const EventSpec& event : each.events) EXPECT_TRUE(names.insert(event.name).second);
    }
}

TEST(Domains, AreFoundInAnyCase) {
    EXPECT_EQ(find_domain("pYTHON"), &domain(DomainId::python));
    EXPECT_EQ(find_domain("Pythons"), nullptr);
    EXPECT_EQ(find_event(python_domain, "PYSYSMON_C_RETURN"), unsigned(PythonEvent::c_return));
    EXPECT_EQ(find_event(python_domain, "omp_flush"), std::nullopt);
    EXPECT_EQ(find_punit(openmp_domain, "Device"), 2u);
}

TEST(Domains, PythonRecordsEverythingButImportsByDefault) {
    EXPECT_EQ(default_events(python_domain), EventSet{0b01111});
}

}  // namespace
}  // namespace spyglass::schema

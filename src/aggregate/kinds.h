// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The table of aggregations: what the user types after `agg.`. A new one is a line here, its update
// in the agent (agent/probes/aggregation.cpp) and its printed form (render.cpp). Any thread.
#pragma once

#include <span>
#include <string_view>

#include "aggregate/layout.h"

namespace spyglass::aggregate {

struct KindInfo {
    Kind kind;
    std::string_view name;
    bool takes_value;
    std::string_view summary;
};

std::span<const KindInfo> kinds();
std::string_view kind_name(Kind kind);

}  // namespace spyglass::aggregate

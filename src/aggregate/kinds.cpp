// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/kinds.h"

namespace spyglass::aggregate {

std::span<const KindInfo> kinds() {
    static constexpr KindInfo table[] = {
        {Kind::count, "count", false, "how often"},
        {Kind::sum, "sum", true, "the sum of the values"},
        {Kind::min, "min", true, "the smallest value"},
        {Kind::max, "max", true, "the largest value"},
        {Kind::quantize, "quantize", true, "a histogram in powers of two"},
    };
    return table;
}

std::string_view kind_name(Kind kind) {
    for (const KindInfo& each : kinds()) {
        if (each.kind == kind) return each.name;
    }
    return kind == Kind::value ? "a plain value" : "nothing";
}

}  // namespace spyglass::aggregate

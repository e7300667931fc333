// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/number_set.h"

#include <algorithm>

namespace spyglass::config {

void NumberSet::add(Range range) {
    // 64 bits: "touches" asks for one past the last.
    const auto touches = [&range](const Range& other) {
        return uint64_t{other.first} <= uint64_t{range.last} + 1 &&
               uint64_t{range.first} <= uint64_t{other.last} + 1;
    };
    std::vector<Range> apart;
    for (const Range& each : ranges_) {
        if (touches(each)) {
            range = {std::min(range.first, each.first), std::max(range.last, each.last)};
        } else {
            apart.push_back(each);
        }
    }
    apart.push_back(range);
    std::sort(apart.begin(), apart.end(),
              [](const Range& a, const Range& b) { return a.first < b.first; });
    ranges_ = std::move(apart);
}

void NumberSet::remove(const NumberSet& other) {
    for (const Range& hole : other.ranges_) {
        std::vector<Range> left;
        for (const Range& each : ranges_) {
            if (hole.last < each.first || each.last < hole.first) {
                left.push_back(each);
                continue;
            }
            if (each.first < hole.first) left.push_back({each.first, hole.first - 1});
            if (hole.last < each.last) left.push_back({hole.last + 1, each.last});
        }
        ranges_ = std::move(left);
    }
}

bool NumberSet::contains(uint32_t number) const {
    for (const Range& each : ranges_) {
        if (each.first <= number && number <= each.last) return true;
    }
    return false;
}

bool NumberSet::intersects(const NumberSet& other) const {
    for (const Range& each : other.ranges_) {
        for (const Range& mine : ranges_) {
            if (mine.first <= each.last && each.first <= mine.last) return true;
        }
    }
    return false;
}

std::string NumberSet::text() const {
    if (*this == everything()) return "*";
    std::string text;
    for (const Range& each : ranges_) {
        if (!text.empty()) text += ',';
        text += std::to_string(each.first);
        if (each.last != each.first) text += '-' + std::to_string(each.last);
    }
    return text;
}

}  // namespace spyglass::config

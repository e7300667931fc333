// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <algorithm>
#include <numeric>

namespace spyglass {

namespace {

size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(const std::string& word,
                                       const std::vector<std::string>& candidates, size_t limit) {
    std::vector<std::pair<size_t, std::string>> ranked;
    const size_t tolerated = std::max<size_t>(2, word.size() / 3);
    for (const std::string& candidate : candidates) {
        const size_t distance = edit_distance(word, candidate);
        if (distance <= tolerated) ranked.emplace_back(distance, candidate);
    }
    std::sort(ranked.begin(), ranked.end());
    ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
    std::vector<std::string> names;
    for (const auto& [distance, name] : ranked) {
        if (names.size() == limit) break;
        names.push_back(name);
    }
    return names;
}

}  // namespace spyglass

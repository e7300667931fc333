// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A set of punit numbers as people write it: "0-3, 7". Any thread; owned.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spyglass::config {

class NumberSet {
  public:
    /// Both ends belong to a range.
    struct Range {
        uint32_t first;
        uint32_t last;
        bool operator==(const Range&) const = default;
    };

    NumberSet() = default;
    static NumberSet everything() { return NumberSet(Range{0, UINT32_MAX}); }

    /// `first` ≤ `last`.
    void add(Range range);
    void remove(const NumberSet& other);

    bool contains(uint32_t number) const;
    bool intersects(const NumberSet& other) const;
    bool empty() const { return ranges_.empty(); }
    bool operator==(const NumberSet&) const = default;
    /// Ascending, apart from each other.
    const std::vector<Range>& ranges() const { return ranges_; }
    /// "0-3,7"; "*" for everything.
    std::string text() const;

  private:
    explicit NumberSet(Range range) : ranges_{range} {}
    std::vector<Range> ranges_;
};

}  // namespace spyglass::config

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A text that a person wrote (`-e`, a file, standard input) with its name and lines, and places in
// it. Does not read files. Any thread; a SourceText owns its text and must outlive views of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spyglass {

/// 1-based; column counts bytes. Line 0 means "no place".
struct Location {
    uint32_t line = 0;
    uint32_t column = 0;
};

class SourceText {
  public:
    /// `name` is what messages call it: "-e", "probes.spy", "<stdin>".
    SourceText(std::string name, std::string text);

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }
    Location locate(size_t offset) const;
    /// Without its newline; "" when there is no such line.
    std::string_view line(uint32_t number) const;

  private:
    std::string name_;
    std::string text_;
    std::vector<size_t> line_starts_;
};

}  // namespace spyglass

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "base/source_text.h"

#include <algorithm>

namespace spyglass {

SourceText::SourceText(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
    line_starts_.push_back(0);
    for (size_t i = 0; i < text_.size(); ++i) {
        if (text_[i] == '\n') line_starts_.push_back(i + 1);
    }
}

Location SourceText::locate(size_t offset) const {
    offset = std::min(offset, text_.size());
    const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    const auto index = static_cast<size_t>(after - line_starts_.begin()) - 1;
    return {static_cast<uint32_t>(index + 1),
            static_cast<uint32_t>(offset - line_starts_[index] + 1)};
}

std::string_view SourceText::line(uint32_t number) const {
    if (number == 0 || number > line_starts_.size()) return {};
    const size_t begin = line_starts_[number - 1];
    size_t end = number < line_starts_.size() ? line_starts_[number] - 1 : text_.size();
    if (end > begin && text_[end - 1] == '\r') --end;
    return std::string_view(text_).substr(begin, end - begin);
}

}  // namespace spyglass

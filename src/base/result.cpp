// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <cstring>

namespace spyglass {

Error Error::from_errno(std::string what, int errno_value) {
    char buffer[128];
    // GNU strerror_r: may or may not use the buffer; the result is what counts.
    const char* text = strerror_r(errno_value, buffer, sizeof buffer);
    return Error(std::move(what) + ": " + text + " (" + std::to_string(errno_value) + ")");
}

std::string Error::message() const {
    std::string text;
    for (auto cause = causes_.rbegin(); cause != causes_.rend(); ++cause) {
        if (!text.empty()) text += ": ";
        text += *cause;
    }
    return text;
}

}  // namespace spyglass

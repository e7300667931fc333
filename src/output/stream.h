// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A descriptor written in large pieces, in order. A reader that went away (`| head`) is a state,
// not a signal: SIGPIPE must be ignored by the process. One thread.
#pragma once

#include <string>
#include <string_view>

namespace spyglass::output {

class Stream {
  public:
    explicit Stream(int fd) : fd_(fd) {}

    void write(std::string_view text) {
        buffer_ += text;
        if (buffer_.size() >= flush_bytes) flush();
    }
    void flush();
    /// Writing failed: nobody reads any more.
    bool broken() const { return broken_; }

  private:
    static constexpr size_t flush_bytes = 1 << 16;
    int fd_;
    std::string buffer_;
    bool broken_ = false;
};

}  // namespace spyglass::output

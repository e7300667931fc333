// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sole owner of a file descriptor. Closes without touching errno. Any thread; moves only.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace spyglass {

class ScopedFd {
  public:
    ScopedFd() = default;
    explicit ScopedFd(int fd) : fd_(fd) {}
    ScopedFd(ScopedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    ScopedFd& operator=(ScopedFd&& other) noexcept {
        if (this != &other) {
            reset();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }
    ~ScopedFd() { reset(); }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int release() { return std::exchange(fd_, -1); }
    void reset() {
        if (fd_ < 0) return;
        const int saved_errno = errno;
        ::close(fd_);
        errno = saved_errno;
        fd_ = -1;
    }

  private:
    int fd_ = -1;
};

}  // namespace spyglass

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "output/stream.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace spyglass::output {

void Stream::flush() {
    std::string_view rest = buffer_;
    while (!rest.empty() && !broken_) {
        const ssize_t count = ::write(fd_, rest.data(), rest.size());
        if (count >= 0) {
            rest.remove_prefix(static_cast<size_t>(count));
        } else if (errno == EAGAIN) {
            pollfd writable{fd_, POLLOUT, 0};
            poll(&writable, 1, -1);
        } else if (errno != EINTR) {
            broken_ = true;
        }
    }
    buffer_.clear();
}

}  // namespace spyglass::output

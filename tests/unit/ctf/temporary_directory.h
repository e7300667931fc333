// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A directory for one test, gone with it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/scoped_fd.h"

namespace spyglass::ctf {

class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        std::string pattern = std::filesystem::temp_directory_path() / "spyglass-ctf-XXXXXX";
        path_ = mkdtemp(pattern.data());
        fd_ = ScopedFd(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        EXPECT_TRUE(fd_);
    }
    ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    int fd() const { return fd_.get(); }
    std::string path(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
    ScopedFd fd_;
};

}  // namespace spyglass::ctf

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "ctf/trace_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>

#include "base/clock.h"

namespace spyglass::ctf {

namespace {

constexpr const char* metadata_name = "metadata";

uint64_t realtime_ns() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

Result<void> make_directories(const std::string& path) {
    for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
        const std::string part = path.substr(0, slash);
        if (mkdir(part.c_str(), 0755) != 0 && errno != EEXIST)
            return Error::from_errno("make the directory " + part, errno);
        if (slash == std::string::npos) return {};
    }
}

// Names of what is in it, but for hidden files.
Result<std::vector<std::string>> entries(int directory) {
    const int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR*)> open(copy < 0 ? nullptr : fdopendir(copy), closedir);
    if (!open) return Error::from_errno("list the trace", errno);
    std::vector<std::string> names;
    while (const dirent* const entry = readdir(open.get())) {
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

Result<void> write_whole(int directory, const char* name, const std::string& text) {
    const ScopedFd file(openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!file) return Error::from_errno(std::string("create ") + name, errno);
    size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = write(file.get(), text.data() + done, text.size() - done);
        if (count <= 0)
            return Error::from_errno(std::string("write ") + name, count < 0 ? errno : ENOSPC);
        done += static_cast<size_t>(count);
    }
    return {};
}

}  // namespace

Result<ScopedFd> create_trace(const std::string& path, const TraceEnvironment& environment) {
    if (auto made = make_directories(path); !made) return std::move(made).error();
    ScopedFd directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory) return Error::from_errno("open the directory " + path, errno);
    const auto there = entries(directory.get());
    if (!there) return there.error();
    if (!there->empty())
        return Error("the directory " + path + " is not empty").remedy("name another with -o");
    const std::string text = metadata(environment, realtime_ns() - monotonic_ns());
    if (auto done = write_whole(directory.get(), metadata_name, text); !done)
        return std::move(done).error().because("in the directory " + path);
    return directory;
}

Result<ScopedFd> open_trace(const std::string& path) {
    ScopedFd directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory) return Error::from_errno("open the trace " + path, errno);
    if (faccessat(directory.get(), metadata_name, R_OK, 0) != 0)
        return Error(path + " is not a trace: it has no file metadata");
    return directory;
}

Result<std::vector<std::string>> list_streams(int directory) {
    auto names = entries(directory);
    if (names) std::erase(*names, metadata_name);
    return names;
}

}  // namespace spyglass::ctf

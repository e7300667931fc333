// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/proc_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/scoped_fd.h"

namespace spyglass::attach {

Result<std::string> read_proc_file(const std::string& path) {
    const ScopedFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    char buffer[16384];
    ssize_t count = file ? 0 : -1;
    if (file) {
        while ((count = read(file.get(), buffer, sizeof buffer)) != 0) {
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) break;
            text.append(buffer, static_cast<size_t>(count));
        }
    }
    if (count < 0) {
        const int error = errno;
        const bool gone = error == ENOENT || error == ESRCH;
        return Error::from_errno("read " + path, error)
            .code(gone ? "target-exited" : "proc-unreadable");
    }
    return text;
}

std::string status_field(std::string_view status, std::string_view key) {
    size_t line = 0;
    while (line < status.size()) {
        size_t end = status.find('\n', line);
        if (end == std::string_view::npos) end = status.size();
        std::string_view text = status.substr(line, end - line);
        if (text.size() > key.size() && text.substr(0, key.size()) == key &&
            text[key.size()] == ':') {
            text.remove_prefix(key.size() + 1);
            while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
                text.remove_prefix(1);
            return std::string(text);
        }
        line = end + 1;
    }
    return {};
}

Result<std::vector<pid_t>> threads_of(pid_t pid) {
    const std::string path = "/proc/" + std::to_string(pid) + "/task";
    DIR* directory = opendir(path.c_str());
    if (!directory) return Error::from_errno("read " + path, errno).code("target-exited");
    std::vector<pid_t> threads;
    while (const dirent* entry = readdir(directory)) {
        if (entry->d_name[0] != '.') threads.push_back(atoi(entry->d_name));
    }
    closedir(directory);
    std::sort(threads.begin(), threads.end());
    const auto leader = std::find(threads.begin(), threads.end(), pid);
    if (leader != threads.end()) std::rotate(threads.begin(), leader, leader + 1);
    return threads;
}

char thread_state(pid_t pid, pid_t tid) {
    auto text =
        read_proc_file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/stat");
    if (!text) return 0;
    // The command name may hold blanks and parentheses: the state follows the last ')'.
    const size_t close = text->rfind(')');
    return close != std::string::npos && close + 2 < text->size() ? (*text)[close + 2] : '\0';
}

}  // namespace spyglass::attach

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/proc_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
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

namespace {

// /proc/PID/task/TID/stat from its third field on: the command name before it may hold blanks and
// parentheses, so it ends at the last ')'. Empty when the thread is gone.
std::string stat_fields(pid_t pid, pid_t tid) {
    const auto text =
        read_proc_file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/stat");
    if (!text) return {};
    const size_t close = text->rfind(')');
    return close != std::string::npos && close + 2 < text->size() ? text->substr(close + 2) : "";
}

}  // namespace

char thread_state(pid_t pid, pid_t tid) {
    const std::string fields = stat_fields(pid, tid);
    return fields.empty() ? '\0' : fields[0];
}

bool has_ended(pid_t pid) {
    constexpr unsigned long exiting = 4;  // PF_EXITING, linux/sched.h; the ninth field (proc(5))
    char state = 0;
    unsigned long flags = 0;
    const std::string fields = stat_fields(pid, pid);
    if (sscanf(fields.c_str(), "%c %*d %*d %*d %*d %*d %lu", &state, &flags) != 2) return true;
    return state == 'Z' || state == 'X' || (flags & exiting) != 0;
}

}  // namespace spyglass::attach

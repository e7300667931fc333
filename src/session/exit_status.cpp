// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "session/exit_status.h"

#include <sys/ioctl.h>
#include <sys/wait.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace spyglass::session {

namespace {

// linux/pidfd.h of 6.15; older headers do not have it.
struct PidfdInfo {
    uint64_t mask;
    uint64_t cgroup_id;
    uint32_t ids[11];
    int32_t exit_code;
};
constexpr uint64_t info_exit = 1u << 3;
constexpr unsigned long get_info = _IOWR(0xFF, 11, PidfdInfo);

}  // namespace

std::optional<int> exit_status_of(pid_t pid, int pid_fd, bool is_child) {
    if (is_child) {
        int status = 0;
        if (waitpid(pid, &status, 0) == pid) return status;
        return std::nullopt;
    }
    // While nobody has reaped it, /proc tells (proc(5), exit_code is the last field); afterwards
    // the pidfd does.
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string stat;
    if (std::getline(file, stat) && stat.find(") Z ") != std::string::npos) {
        return atoi(stat.c_str() + stat.rfind(' ') + 1);
    }
    PidfdInfo info{};
    info.mask = info_exit;
    if (ioctl(pid_fd, get_info, &info) != 0 || (info.mask & info_exit) == 0) return std::nullopt;
    return info.exit_code;
}

std::string describe_exit(std::optional<int> status) {
    if (!status) return "Target exited.";
    if (WIFSIGNALED(*status)) {
        const int number = WTERMSIG(*status);
        return "Target killed by signal: " + std::string(strsignal(number)) + " (" +
               std::to_string(number) + ")";
    }
    return "Target exited with status " + std::to_string(WEXITSTATUS(*status)) + ".";
}

}  // namespace spyglass::session

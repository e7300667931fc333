// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/process_tree.h"

#include <dirent.h>

#include <algorithm>
#include <cstdlib>

#include "attach/proc_file.h"
#include "attach/runtime.h"
#include "attach/target.h"

namespace spyglass::attach {

namespace {

std::string escape_controls(const std::string& text) {
    std::string line;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) >= ' ' && c != 0x7f) {
            line += c;
        } else if (c == '\0') {
            line += ' ';
        } else {
            constexpr char digits[] = "0123456789abcdef";
            line += "\\x";
            line += digits[static_cast<unsigned char>(c) >> 4];
            line += digits[c & 15];
        }
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

bool looks_like_python(pid_t pid) {
    const auto name = read_proc_file("/proc/" + std::to_string(pid) + "/comm");
    return name && name->find("python") != std::string::npos;
}

std::optional<Runtime> runtime_of(pid_t pid) {
    const auto map = read_memory_map(pid);
    if (!map || map->empty()) return std::nullopt;
    const auto found = find_interpreter(RemoteMemory(pid), *map);
    if (!found || !*found) return std::nullopt;
    return (*found)->runtime;
}

bool holds_python(pid_t pid) {
    return runtime_of(pid).has_value();
}

}  // namespace

std::vector<pid_t> all_processes() {
    std::vector<pid_t> pids;
    DIR* directory = opendir("/proc");
    if (!directory) return pids;
    while (const dirent* entry = readdir(directory)) {
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') pids.push_back(atoi(entry->d_name));
    }
    closedir(directory);
    std::sort(pids.begin(), pids.end());
    return pids;
}

std::string command_line_of(pid_t pid) {
    const std::string directory = "/proc/" + std::to_string(pid);
    if (const auto text = read_proc_file(directory + "/cmdline"); text && !text->empty()) {
        return escape_controls(*text);
    }
    const auto name = read_proc_file(directory + "/comm");
    return name ? "[" + escape_controls(name->substr(0, name->find('\n'))) + "]" : "";
}

std::vector<pid_t> python_descendants(pid_t pid) {
    std::vector<pid_t> family{pid};
    std::vector<pid_t> python;
    std::vector<std::pair<pid_t, pid_t>> parents;
    for (const pid_t each : all_processes()) {
        const auto status = read_proc_file("/proc/" + std::to_string(each) + "/status");
        if (status) parents.emplace_back(each, atoi(status_field(*status, "PPid").c_str()));
    }
    for (size_t i = 0; i < family.size(); ++i) {
        for (const auto& [child, parent] : parents) {
            if (parent != family[i]) continue;
            family.push_back(child);
            if (holds_python(child)) python.push_back(child);
        }
    }
    return python;
}

std::vector<ProcessSummary> list_python_processes() {
    std::vector<ProcessSummary> list;
    for (const pid_t pid : all_processes()) {
        const auto runtime = runtime_of(pid);
        if (!runtime && !looks_like_python(pid)) continue;
        ProcessSummary summary;
        summary.pid = pid;
        summary.command_line = command_line_of(pid);
        if (const auto status = read_proc_file("/proc/" + std::to_string(pid) + "/status")) {
            summary.threads = static_cast<uint32_t>(atoi(status_field(*status, "Threads").c_str()));
        }
        for (const Check& check : examine(pid)) {
            if (!check.passed) summary.refusal = check.finding;
        }
        if (runtime) summary.version = version_text(runtime->version_hex);
        if (!runtime && summary.refusal.empty()) continue;  // named so, but none
        list.push_back(std::move(summary));
    }
    return list;
}

}  // namespace spyglass::attach

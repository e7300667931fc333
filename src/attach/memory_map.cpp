// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/memory_map.h"

#include <cerrno>
#include <charconv>
#include <cstring>

#include "attach/proc_file.h"

namespace spyglass::attach {

namespace {

// "begin-end perms offset dev inode   path"
bool parse_line(std::string_view line, Mapping& mapping) {
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto number = [&](uint64_t& value, int base, char closing) {
        const auto [next, error] = std::from_chars(at, end, value, base);
        if (error != std::errc() || next == end || *next != closing) return false;
        at = next + 1;
        return true;
    };
    if (!number(mapping.begin, 16, '-') || !number(mapping.end, 16, ' ')) return false;
    if (end - at < 5) return false;
    mapping.readable = at[0] == 'r';
    mapping.writable = at[1] == 'w';
    mapping.executable = at[2] == 'x';
    at += 5;
    if (!number(mapping.offset, 16, ' ')) return false;
    at = static_cast<const char*>(memchr(at, ' ', static_cast<size_t>(end - at)));
    if (!at) return false;
    ++at;
    const auto [next, error] = std::from_chars(at, end, mapping.inode, 10);
    if (error != std::errc()) return false;
    at = next;
    while (at < end && *at == ' ') ++at;
    mapping.path.assign(at, end);
    return true;
}

}  // namespace

Result<std::vector<Mapping>> read_memory_map(pid_t pid) {
    auto text = read_proc_file("/proc/" + std::to_string(pid) + "/maps");
    if (!text) return std::move(text).error();
    std::vector<Mapping> map;
    std::string_view rest = *text;
    while (!rest.empty()) {
        const size_t newline = rest.find('\n');
        Mapping mapping;
        if (parse_line(rest.substr(0, newline), mapping)) map.push_back(std::move(mapping));
        if (newline == std::string_view::npos) break;
        rest.remove_prefix(newline + 1);
    }
    return map;
}

const Mapping* mapping_of(const std::vector<Mapping>& map, uint64_t address) {
    for (const Mapping& each : map) {
        if (each.contains(address)) return &each;
    }
    return nullptr;
}

}  // namespace spyglass::attach

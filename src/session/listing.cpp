// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "session/listing.h"

#include <fstream>
#include <sstream>

#include "base/glob.h"

namespace spyglass::session {

namespace {

bool matches(const std::string& pattern, const std::string& text) {
    return pattern.empty() || glob_matches(pattern, text);
}

}  // namespace

std::vector<std::string> list_lines(pid_t pid, const std::string& files,
                                    const std::string& working_directory,
                                    const plan::ListingFilter& filter) {
    std::vector<std::string> lines;
    std::istringstream paths(files);
    std::string path;
    while (std::getline(paths, path)) {
        const std::string absolute = path.front() == '/' ? path : working_directory + "/" + path;
        const std::string prefix = working_directory + "/";
        const bool below = absolute.compare(0, prefix.size(), prefix) == 0;
        const std::string shown = below ? absolute.substr(prefix.size()) : absolute;
        if (!matches(filter.first, shown) && !matches(filter.first, absolute)) continue;
        std::ifstream file("/proc/" + std::to_string(pid) + "/root" + absolute);
        std::string line;
        for (unsigned number = 1; std::getline(file, line); ++number) {
            if (!matches(filter.second, std::to_string(number))) continue;
            if (!line.empty() && line.back() == '\r') line.pop_back();
            lines.push_back("line:" + shown + ":" + std::to_string(number) + " " + line);
        }
    }
    return lines;
}

}  // namespace spyglass::session

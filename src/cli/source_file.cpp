// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/source_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

namespace spyglass::cli {

Result<SourceText> read_source(const std::string& path) {
    const bool from_stdin = path == "-";
    const std::unique_ptr<FILE, int (*)(FILE*)> file(
        from_stdin ? fdopen(dup(STDIN_FILENO), "rb") : fopen(path.c_str(), "rb"), fclose);
    if (!file) return Error::from_errno("read " + path, errno);
    std::string text;
    char piece[4096];
    while (const size_t count = fread(piece, 1, sizeof piece, file.get()))
        text.append(piece, count);
    if (ferror(file.get())) return Error::from_errno("read " + path, errno);
    return SourceText(from_stdin ? "<stdin>" : path, std::move(text));
}

}  // namespace spyglass::cli

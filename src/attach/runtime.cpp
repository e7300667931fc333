// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/runtime.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

#include "attach/debug_offsets.h"

namespace spyglass::attach {

namespace {

constexpr uint64_t max_constants_bytes = 32 << 20;

// PY_VERSION stands among the constants: what Py_GetVersion formats
// (Python/getversion.c). Needed for 3.8 to 3.10, which do not export Py_Version.
uint32_t version_from_constants(const RemoteMemory& memory, const ElfImage& image) {
    for (const ElfImage::Range& segment : image.segments()) {
        if (segment.writable) continue;
        std::vector<char> text(std::min(segment.end - segment.begin, max_constants_bytes));
        text.resize(memory.read_some(segment.begin, text.data(), text.size()));
        const char* at = text.data();
        const char* const end = at + text.size();
        while (at < end) {
            constexpr char mark[] = {'3', '.'};
            at = std::search(at, end, std::begin(mark), std::end(mark));
            if (end - at < 12) break;
            // The linker may have merged it with the tail of a longer text ("Python-3.8.18").
            const bool starts =
                at > text.data() && !isdigit(static_cast<unsigned char>(at[-1])) && at[-1] != '.';
            unsigned minor = 0;
            unsigned micro = 0;
            const auto [dot, minor_error] = std::from_chars(at + 2, end, minor);
            if (starts && minor_error == std::errc() && dot < end && *dot == '.' && minor >= 6 &&
                minor <= 10) {
                const auto [after, micro_error] = std::from_chars(dot + 1, end, micro);
                if (micro_error == std::errc() && after < end &&
                    (*after == '\0' || *after == '+')) {
                    return 3u << 24 | minor << 16 | micro << 8 | 0xf0;
                }
            }
            ++at;
        }
    }
    return 0;
}

}  // namespace

Result<std::optional<Interpreter>> find_interpreter(const RemoteMemory& memory,
                                                    const std::vector<Mapping>& map) {
    std::optional<Interpreter> best;
    for (const Mapping* start : image_starts(memory, map)) {
        auto image = ElfImage::read(memory, start->begin);
        if (!image) continue;  // damaged or foreign images are not our concern
        const auto runtime_address = image->symbol("_PyRuntime");
        if (!runtime_address) continue;
        Runtime runtime;
        runtime.remote_runtime = *runtime_address;
        runtime.remote_image_base = start->begin;
        runtime.image_path = start->path;
        if (const auto version = image->symbol("Py_Version")) {
            if (auto value = memory.get<uint64_t>(*version))
                runtime.version_hex = static_cast<uint32_t>(*value);
        } else {
            runtime.version_hex = version_from_constants(memory, *image);
        }
        if (auto offsets = read_debug_offsets(memory, *runtime_address)) {
            runtime.free_threaded = offsets->free_threaded;
        }
        const bool live = interpreter_is_live(memory, runtime);
        // Two libpythons may be mapped: the one whose runtime is initialised is meant.
        if (!best || live) best = Interpreter{runtime, std::move(*image)};
        if (live) break;
    }
    return best;
}

std::string version_text(uint32_t version_hex) {
    std::string text = std::to_string(version_hex >> 24) + "." +
                       std::to_string(version_hex >> 16 & 255) + "." +
                       std::to_string(version_hex >> 8 & 255);
    const unsigned level = version_hex >> 4 & 15;
    if (level == 0xf || level == 0) return text;
    text += level == 0xa ? "a" : level == 0xb ? "b" : "rc";
    return text + std::to_string(version_hex & 15);
}

}  // namespace spyglass::attach

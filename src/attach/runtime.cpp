// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/runtime.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <span>

#include "attach/debug_offsets.h"

namespace spyglass::attach {

namespace {

constexpr uint64_t max_constants_bytes = 32 << 20;

struct MinorVersions {
    char major;
    unsigned first;
    unsigned last;
};

// "X.Y.Z" at `at`, as PY_VERSION is: 0 when it is not one of these.
uint32_t parse_version(const char* at, const char* end, const MinorVersions& wanted) {
    unsigned minor = 0;
    unsigned micro = 0;
    const auto [dot, minor_error] = std::from_chars(at + 2, end, minor);
    if (minor_error != std::errc() || dot >= end || *dot != '.' || minor < wanted.first ||
        minor > wanted.last) {
        return 0;
    }
    const auto [after, micro_error] = std::from_chars(dot + 1, end, micro);
    if (micro_error != std::errc() || after >= end || (*after != '\0' && *after != '+')) return 0;
    const auto major = static_cast<unsigned>(wanted.major - '0');
    return major << 24 | minor << 16 | (micro & 255) << 8 | 0xf0;
}

// PY_VERSION stands among the constants: what Py_GetVersion formats (Python/getversion.c). Needed
// up to 3.10, which do not export Py_Version.
uint32_t version_from_constants(const RemoteMemory& memory, const ElfImage& image,
                                std::span<const MinorVersions> wanted) {
    for (const ElfImage::Range& segment : image.segments()) {
        if (segment.writable) continue;
        std::vector<char> text(std::min(segment.end - segment.begin, max_constants_bytes));
        text.resize(memory.read_some(segment.begin, text.data(), text.size()));
        const char* const end = text.data() + text.size();
        for (const MinorVersions& each : wanted) {
            const char mark[] = {each.major, '.'};
            for (const char* at = text.data() + 1;; ++at) {
                at = std::search(at, end, std::begin(mark), std::end(mark));
                constexpr ptrdiff_t shortest = 6;  // "3.6.1", and what follows it
                if (end - at < shortest) break;
                // The linker may have merged it with the tail of a longer text ("Python-3.8.18");
                // symbol versions ("GLIBC_2.6.1") are none.
                if (isdigit(static_cast<unsigned char>(at[-1])) || at[-1] == '.' || at[-1] == '_')
                    continue;
                if (const uint32_t version = parse_version(at, end, each)) return version;
            }
        }
    }
    return 0;
}

// CPython without `_PyRuntime`, before 3.7, can only be named.
std::optional<Runtime> old_runtime(const RemoteMemory& memory, const ElfImage& image,
                                   const Mapping& start) {
    constexpr MinorVersions versions[] = {{'3', 2, 6}, {'2', 6, 7}};
    if (!image.symbol("Py_GetVersion") || !image.symbol("PyEval_EvalFrameEx")) return std::nullopt;
    Runtime runtime;
    runtime.remote_image_base = start.begin;
    runtime.image_path = start.path;
    runtime.version_hex = version_from_constants(memory, image, versions);
    return runtime;
}

}  // namespace

Result<std::optional<Interpreter>> find_interpreter(const RemoteMemory& memory,
                                                    const std::vector<Mapping>& map) {
    std::optional<Interpreter> best;
    for (const Mapping* start : image_starts(memory, map)) {
        auto image = ElfImage::read(memory, start->begin);
        if (!image) continue;  // damaged or foreign images are not our concern
        const auto runtime_address = image->symbol("_PyRuntime");
        if (!runtime_address) {
            if (auto old = old_runtime(memory, *image, *start); old && !best)
                best = Interpreter{std::move(*old), std::move(*image)};
            continue;
        }
        Runtime runtime;
        runtime.remote_runtime = *runtime_address;
        runtime.remote_image_base = start->begin;
        runtime.image_path = start->path;
        if (const auto version = image->symbol("Py_Version")) {
            if (auto value = memory.get<uint64_t>(*version))
                runtime.version_hex = static_cast<uint32_t>(*value);
        } else {
            constexpr MinorVersions versions[] = {{'3', 7, 10}};
            runtime.version_hex = version_from_constants(memory, *image, versions);
        }
        if (auto offsets = read_debug_offsets(memory, *runtime_address)) {
            runtime.free_threaded = offsets->free_threaded;
        }
        const bool live = interpreter_is_live(memory, runtime);
        // Two libpythons may be mapped: the one whose runtime is initialised is meant.
        if (!best || live || best->runtime.remote_runtime == 0)
            best = Interpreter{runtime, std::move(*image)};
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

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
// Any bytes are a stream of a trace or none: reading ends, and after a repair the same events come.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "ctf/stream_reader.h"

namespace {

using namespace spyglass;

// The directory of the only file that a reader of streams can open here.
const ScopedFd& descriptors() {
    static const ScopedFd directory(open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return directory;
}

size_t count_events(const std::string& name) {
    auto reader = ctf::StreamReader::open(descriptors().get(), name);
    if (!reader) return 0;
    size_t count = 0;
    ctf::Event event;
    while ((*reader)->next(event)) {
        auto fields = event.fields();
        for (const schema::FieldSpec& field : event.type->fields) {
            if (field.kind == schema::FieldKind::text) {
                (void)fields.text();
            } else if (field.kind == schema::FieldKind::u32) {
                (void)fields.number<uint32_t>();
            } else if (field.kind == schema::FieldKind::u8) {
                (void)fields.number<uint8_t>();
            } else {
                (void)fields.number<uint64_t>();
            }
        }
        ++count;
    }
    return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const ScopedFd file(memfd_create("stream", MFD_CLOEXEC));
    if (write(file.get(), data, size) != static_cast<ssize_t>(size)) abort();
    const std::string name = std::to_string(file.get());
    const size_t events = count_events(name);
    if (ctf::repair(descriptors().get(), name) && count_events(name) != events) abort();
    return 0;
}

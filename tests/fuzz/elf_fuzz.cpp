// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
// Images in another process's memory: any bytes are an image or an error, and look-ups end.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "attach/elf_image.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    // A fixed place, so that addresses inside an input mean the same in every run.
    constexpr uint64_t base = 0x20000000;
    constexpr size_t bytes = 1 << 16;
    static void* const pages = mmap(reinterpret_cast<void*>(base), bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (pages == MAP_FAILED) abort();
    memset(pages, 0, bytes);
    memcpy(pages, data, std::min(size, bytes));

    const spyglass::attach::RemoteMemory memory(getpid());
    const auto image = spyglass::attach::ElfImage::read(memory, base);
    if (!image) return 0;
    (void)image->symbol("_PyRuntime");
    (void)image->symbol("");
    (void)image->executes_at(base);
    return 0;
}

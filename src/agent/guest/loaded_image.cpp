// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/guest/loaded_image.h"

#include <elf.h>
#include <link.h>

#include <cstring>

namespace spyglass::agent {

namespace {

struct Search {
    uint64_t address;
    uint64_t bias = 0;
    const Elf64_Dyn* dynamic = nullptr;
};

int visit(dl_phdr_info* info, size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    const Elf64_Dyn* dynamic = nullptr;
    bool covers = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const Elf64_Phdr& segment = info->dlpi_phdr[i];
        const uint64_t begin = info->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const Elf64_Dyn*>(begin);
        if (segment.p_type == PT_LOAD && search.address >= begin &&
            search.address < begin + segment.p_memsz) {
            covers = true;
        }
    }
    if (!covers || !dynamic) return 0;
    search.bias = info->dlpi_addr;
    search.dynamic = dynamic;
    return 1;
}

}  // namespace

std::optional<LoadedImage> LoadedImage::containing(uint64_t address) {
    Search search{address};
    if (dl_iterate_phdr(visit, &search) == 0) return std::nullopt;
    LoadedImage image;
    image.bias_ = search.bias;
    // glibc relocates these entries in place, except where the section is read-only.
    const auto pointer = [&](const Elf64_Dyn& entry) {
        const uint64_t value = entry.d_un.d_ptr;
        return reinterpret_cast<const void*>(value < search.bias ? value + search.bias : value);
    };
    for (const Elf64_Dyn* entry = search.dynamic; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_SYMTAB) image.symbols_ = pointer(*entry);
        if (entry->d_tag == DT_STRTAB) image.strings_ = static_cast<const char*>(pointer(*entry));
        if (entry->d_tag == DT_GNU_HASH)
            image.gnu_hash_ = static_cast<const uint32_t*>(pointer(*entry));
        if (entry->d_tag == DT_HASH)
            image.sysv_hash_ = static_cast<const uint32_t*>(pointer(*entry));
    }
    if (!image.symbols_ || !image.strings_ || (!image.gnu_hash_ && !image.sysv_hash_))
        return std::nullopt;
    return image;
}

void* LoadedImage::symbol(const char* name) const {
    const auto* const symbols = static_cast<const Elf64_Sym*>(symbols_);
    const auto found = [&](uint32_t index) -> void* {
        const Elf64_Sym& symbol = symbols[index];
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0) return nullptr;
        if (strcmp(strings_ + symbol.st_name, name) != 0) return nullptr;
        return reinterpret_cast<void*>(bias_ + symbol.st_value);
    };
    if (gnu_hash_) {
        uint32_t hash = 5381;
        for (const char* c = name; *c; ++c) hash = hash * 33 + static_cast<unsigned char>(*c);
        const uint32_t bucket_count = gnu_hash_[0];
        const uint32_t first_symbol = gnu_hash_[1];
        const uint32_t* const buckets = gnu_hash_ + 4 + size_t{gnu_hash_[2]} * 2;
        const uint32_t* const chain = buckets + bucket_count;
        uint32_t index = bucket_count ? buckets[hash % bucket_count] : 0;
        if (index < first_symbol) return nullptr;
        for (;; ++index) {
            const uint32_t link = chain[index - first_symbol];
            if ((link | 1) == (hash | 1)) {
                if (void* address = found(index)) return address;
            }
            if (link & 1) return nullptr;
        }
    }
    const uint32_t count = sysv_hash_[1];
    for (uint32_t index = 1; index < count; ++index) {
        if (void* address = found(index)) return address;
    }
    return nullptr;
}

}  // namespace spyglass::agent

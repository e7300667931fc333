// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/elf_image.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace spyglass::attach {

namespace {

constexpr uint16_t max_program_headers = 128;
constexpr uint64_t max_dynamic_bytes = 64 << 10;
constexpr uint64_t max_name_bytes = 256;
constexpr uint32_t max_chain = 1 << 20;

uint32_t gnu_hash(std::string_view name) {
    uint32_t hash = 5381;
    for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
    return hash;
}

uint32_t sysv_hash(std::string_view name) {
    uint32_t hash = 0;
    for (const char c : name) {
        hash = (hash << 4) + static_cast<unsigned char>(c);
        const uint32_t high = hash & 0xf0000000;
        hash = (hash ^ (high >> 24)) & ~high;
    }
    return hash;
}

}  // namespace

Result<ElfImage> ElfImage::read(const RemoteMemory& memory, uint64_t remote_base) {
    ElfImage image(memory);
    if (auto done = image.read_headers(remote_base); !done) return std::move(done).error();
    return image;
}

Result<void> ElfImage::read_headers(uint64_t remote_base) {
    auto header = memory_.get<Elf64_Ehdr>(remote_base);
    if (!header) return std::move(header).error();
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return Error("not an ELF image").code("not-elf");
    machine_ = header->e_machine;
    if (header->e_ident[EI_CLASS] != ELFCLASS64)
        return Error("not a 64-bit image").code("architecture");
    if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum > max_program_headers) {
        return Error("damaged program headers").code("not-elf");
    }
    std::vector<Elf64_Phdr> headers(header->e_phnum);
    auto done = memory_.read(remote_base + header->e_phoff, headers.data(),
                             headers.size() * sizeof(Elf64_Phdr));
    if (!done) return done;

    remote_base_ = remote_base;
    const Elf64_Phdr* first_load = nullptr;
    for (const Elf64_Phdr& each : headers) {
        if (each.p_type == PT_LOAD && !first_load) first_load = &each;
    }
    if (!first_load) return Error("no loadable segment").code("not-elf");
    bias_ = remote_base - (first_load->p_vaddr - first_load->p_offset);
    uint64_t dynamic = 0;
    uint64_t dynamic_bytes = 0;
    for (const Elf64_Phdr& each : headers) {
        const uint64_t begin = bias_ + each.p_vaddr;
        if (each.p_type == PT_LOAD) {
            segments_.push_back({begin, begin + each.p_memsz, (each.p_flags & PF_X) != 0,
                                 (each.p_flags & PF_W) != 0});
        } else if (each.p_type == PT_DYNAMIC) {
            dynamic = begin;
            dynamic_bytes = std::min(each.p_memsz, max_dynamic_bytes);
        } else if (each.p_type == PT_NOTE) {
            read_notes(begin, each.p_memsz);
        }
    }
    if (dynamic == 0) return {};  // a static image: no symbols, which is an answer
    return read_dynamic(dynamic, dynamic_bytes);
}

Result<void> ElfImage::read_dynamic(uint64_t remote_dynamic, uint64_t bytes) {
    std::vector<Elf64_Dyn> entries(bytes / sizeof(Elf64_Dyn));
    if (auto done =
            memory_.read(remote_dynamic, entries.data(), entries.size() * sizeof(Elf64_Dyn));
        !done) {
        return done;
    }
    // The dynamic loader writes absolute addresses over most of these; the vDSO and read-only
    // dynamic sections keep them relative.
    const auto absolute = [&](uint64_t value) { return value < bias_ ? value + bias_ : value; };
    uint64_t soname_offset = 0;
    for (const Elf64_Dyn& each : entries) {
        if (each.d_tag == DT_NULL) break;
        if (each.d_tag == DT_SYMTAB) remote_symbols_ = absolute(each.d_un.d_ptr);
        if (each.d_tag == DT_STRTAB) remote_strings_ = absolute(each.d_un.d_ptr);
        if (each.d_tag == DT_STRSZ) strings_bytes_ = each.d_un.d_val;
        if (each.d_tag == DT_GNU_HASH) remote_gnu_hash_ = absolute(each.d_un.d_ptr);
        if (each.d_tag == DT_HASH) remote_sysv_hash_ = absolute(each.d_un.d_ptr);
        if (each.d_tag == DT_SONAME) soname_offset = each.d_un.d_val;
    }
    if (soname_offset != 0) soname_ = string_at(soname_offset);
    return {};
}

void ElfImage::read_notes(uint64_t remote_notes, uint64_t bytes) {
    std::vector<unsigned char> notes(std::min<uint64_t>(bytes, 4096));
    if (!memory_.read(remote_notes, notes.data(), notes.size())) return;
    size_t at = 0;
    while (at + sizeof(Elf64_Nhdr) <= notes.size()) {
        Elf64_Nhdr note;
        memcpy(&note, &notes[at], sizeof note);
        at += sizeof note;
        const uint64_t name_end = at + ((uint64_t{note.n_namesz} + 3) & ~uint64_t{3});
        const uint64_t end = name_end + ((uint64_t{note.n_descsz} + 3) & ~uint64_t{3});
        if (end > notes.size()) return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(&notes[at], "GNU", 4) == 0) {
            for (uint64_t i = 0; i < note.n_descsz; ++i) {
                constexpr char digits[] = "0123456789abcdef";
                build_id_ += digits[notes[name_end + i] >> 4];
                build_id_ += digits[notes[name_end + i] & 15];
            }
            return;
        }
        at = end;
    }
}

std::string ElfImage::string_at(uint64_t offset) const {
    if (offset >= strings_bytes_) return {};
    char text[max_name_bytes];
    const uint64_t wanted = std::min<uint64_t>(sizeof text, strings_bytes_ - offset);
    const size_t count = memory_.read_some(remote_strings_ + offset, text, wanted);
    return std::string(text, strnlen(text, count));
}

bool ElfImage::is_named(uint32_t index, std::string_view name, uint64_t& address) const {
    auto symbol = memory_.get<Elf64_Sym>(remote_symbols_ + uint64_t{index} * sizeof(Elf64_Sym));
    if (!symbol || symbol->st_shndx == SHN_UNDEF || symbol->st_value == 0) return false;
    if (ELF64_ST_TYPE(symbol->st_info) == STT_TLS) return false;
    if (string_at(symbol->st_name) != name) return false;
    address = bias_ + symbol->st_value;
    return true;
}

std::optional<uint64_t> ElfImage::symbol(std::string_view name) const {
    if (remote_symbols_ == 0 || remote_strings_ == 0) return std::nullopt;
    if (remote_gnu_hash_ != 0) return by_gnu_hash(name);
    if (remote_sysv_hash_ != 0) return by_sysv_hash(name);
    return std::nullopt;
}

std::optional<uint64_t> ElfImage::by_gnu_hash(std::string_view name) const {
    struct Header {
        uint32_t buckets, first_symbol, bloom_words, bloom_shift;
    };
    auto header = memory_.get<Header>(remote_gnu_hash_);
    if (!header || header->buckets == 0) return std::nullopt;
    const uint32_t hash = gnu_hash(name);
    const uint64_t remote_buckets =
        remote_gnu_hash_ + sizeof(Header) + uint64_t{header->bloom_words} * sizeof(uint64_t);
    const uint64_t remote_chain = remote_buckets + uint64_t{header->buckets} * sizeof(uint32_t);
    auto bucket =
        memory_.get<uint32_t>(remote_buckets + uint64_t{hash % header->buckets} * sizeof(uint32_t));
    if (!bucket || *bucket < header->first_symbol) return std::nullopt;
    for (uint32_t index = *bucket; index - *bucket < max_chain; ++index) {
        auto link = memory_.get<uint32_t>(remote_chain + uint64_t{index - header->first_symbol} *
                                                             sizeof(uint32_t));
        if (!link) return std::nullopt;
        uint64_t address = 0;
        if ((*link | 1) == (hash | 1) && is_named(index, name, address)) return address;
        if (*link & 1) return std::nullopt;
    }
    return std::nullopt;
}

std::optional<uint64_t> ElfImage::by_sysv_hash(std::string_view name) const {
    struct Header {
        uint32_t buckets, chains;
    };
    auto header = memory_.get<Header>(remote_sysv_hash_);
    if (!header || header->buckets == 0) return std::nullopt;
    const uint64_t remote_buckets = remote_sysv_hash_ + sizeof(Header);
    const uint64_t remote_chains = remote_buckets + uint64_t{header->buckets} * sizeof(uint32_t);
    const uint64_t slot = sysv_hash(name) % header->buckets;
    auto index = memory_.get<uint32_t>(remote_buckets + slot * sizeof(uint32_t));
    for (uint32_t steps = 0; index && *index != 0 && steps < max_chain; ++steps) {
        uint64_t address = 0;
        if (is_named(*index, name, address)) return address;
        if (*index >= header->chains) break;
        index = memory_.get<uint32_t>(remote_chains + uint64_t{*index} * sizeof(uint32_t));
    }
    return std::nullopt;
}

bool ElfImage::executes_at(uint64_t address) const {
    return std::any_of(segments_.begin(), segments_.end(), [&](const Range& segment) {
        return segment.executable && segment.contains(address);
    });
}

std::vector<const Mapping*> image_starts(const RemoteMemory& memory,
                                         const std::vector<Mapping>& map) {
    std::vector<const Mapping*> starts;
    for (const Mapping& each : map) {
        if (each.offset != 0 || !each.readable) continue;
        if (each.path.empty() && each.inode == 0 && !each.executable) continue;  // heap-like memory
        if (each.path == "[heap]" || each.path == "[stack]" || each.path == "[vvar]") continue;
        auto mark = memory.get<uint32_t>(each.begin);
        if (mark && memcmp(&*mark, ELFMAG, SELFMAG) == 0) starts.push_back(&each);
    }
    return starts;
}

}  // namespace spyglass::attach

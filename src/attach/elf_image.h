// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Symbols of an image as it is mapped in another process: program headers, dynamic section, hash
// table, symbol table, all read from memory (elf(5), gABI "Dynamic Section", GNU hash as in glibc's
// elf/dl-lookup.c). Never opens the file: its path may name something else by now. Knows nothing of
// what the symbols mean. Everything read is untrusted and bounded. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attach/memory_map.h"
#include "attach/remote_memory.h"
#include "base/result.h"

namespace spyglass::attach {

class ElfImage {
  public:
    /// The image whose first byte (ELF header) is mapped at `remote_base`.
    static Result<ElfImage> read(const RemoteMemory& memory, uint64_t remote_base);

    /// Address in the target of a defined dynamic symbol.
    std::optional<uint64_t> symbol(std::string_view name) const;

    uint64_t bias() const { return bias_; }
    uint64_t remote_base() const { return remote_base_; }
    uint16_t machine() const { return machine_; }
    /// DT_SONAME, or "".
    const std::string& soname() const { return soname_; }
    /// Bytes of NT_GNU_BUILD_ID as hexadecimal, or "".
    const std::string& build_id() const { return build_id_; }
    /// Executable segments, as [begin, end) in the target.
    struct Range {
        uint64_t begin;
        uint64_t end;
        bool executable;
        bool writable;
        bool contains(uint64_t address) const { return address >= begin && address < end; }
    };
    const std::vector<Range>& segments() const { return segments_; }
    bool executes_at(uint64_t address) const;

  private:
    explicit ElfImage(const RemoteMemory& memory) : memory_(memory) {}
    Result<void> read_headers(uint64_t remote_base);
    Result<void> read_dynamic(uint64_t remote_dynamic, uint64_t bytes);
    void read_notes(uint64_t remote_notes, uint64_t bytes);
    std::string string_at(uint64_t offset) const;
    bool is_named(uint32_t index, std::string_view name, uint64_t& address) const;
    std::optional<uint64_t> by_gnu_hash(std::string_view name) const;
    std::optional<uint64_t> by_sysv_hash(std::string_view name) const;

    RemoteMemory memory_;
    uint64_t remote_base_ = 0;
    uint64_t bias_ = 0;
    uint16_t machine_ = 0;
    std::vector<Range> segments_;
    uint64_t remote_symbols_ = 0;
    uint64_t remote_strings_ = 0;
    uint64_t strings_bytes_ = 0;
    uint64_t remote_gnu_hash_ = 0;
    uint64_t remote_sysv_hash_ = 0;
    std::string soname_;
    std::string build_id_;
};

/// First mapping of every ELF image in the map, by the mark at its start (not by its path).
std::vector<const Mapping*> image_starts(const RemoteMemory& memory,
                                         const std::vector<Mapping>& map);

}  // namespace spyglass::attach

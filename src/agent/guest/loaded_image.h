// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Symbols of an image loaded in this process, looked up in that image alone: by its hash table, not
// through the dynamic loader's scopes, which may hide it (RTLD_LOCAL) or prefer another of the same
// name. Knows nothing of Python. Any thread; takes the dynamic loader's lock once
// (dl_iterate_phdr).
#pragma once

#include <cstdint>
#include <optional>

namespace spyglass::agent {

class LoadedImage {
  public:
    /// The image whose segments cover `address`.
    static std::optional<LoadedImage> containing(uint64_t address);

    /// Address of a defined dynamic symbol, or null.
    void* symbol(const char* name) const;

  private:
    uint64_t bias_ = 0;
    const void* symbols_ = nullptr;
    const char* strings_ = nullptr;
    const uint32_t* gnu_hash_ = nullptr;
    const uint32_t* sysv_hash_ = nullptr;
};

}  // namespace spyglass::agent

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Values to bytes and back, little endian, lengths before texts: what messages and plans are made
// of. The reader checks every length against what is left, so hostile bytes end in `failed()`,
// never beyond the span; numbers read after that are 0 and texts empty. Any thread; cannot throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace spyglass {

class ByteWriter {
  public:
    template <class T>
    void number(T value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        const size_t at = bytes_.size();
        bytes_.resize(at + sizeof value);
        memcpy(bytes_.data() + at, &value, sizeof value);
    }
    void text(std::string_view value) {
        number(static_cast<uint32_t>(value.size()));
        const auto* const data = reinterpret_cast<const std::byte*>(value.data());
        bytes_.insert(bytes_.end(), data, data + value.size());
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

class ByteReader {
  public:
    explicit ByteReader(std::span<const std::byte> untrusted_bytes) : rest_(untrusted_bytes) {}

    template <class T>
    T number() {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        T value{};
        if (rest_.size() < sizeof value) {
            failed_ = true;
            rest_ = {};
            return value;
        }
        memcpy(&value, rest_.data(), sizeof value);
        rest_ = rest_.subspan(sizeof value);
        return value;
    }
    std::string text() {
        const auto bytes = number<uint32_t>();
        if (bytes > rest_.size()) {
            failed_ = true;
            rest_ = {};
            return {};
        }
        std::string value(reinterpret_cast<const char*>(rest_.data()), bytes);
        rest_ = rest_.subspan(bytes);
        return value;
    }
    /// A count of things that take at least `least_bytes` each.
    uint32_t count(size_t least_bytes) {
        const auto value = number<uint32_t>();
        if (uint64_t{value} * least_bytes <= rest_.size()) return value;
        failed_ = true;
        rest_ = {};
        return 0;
    }
    bool failed() const { return failed_; }
    bool finished() const { return !failed_ && rest_.empty(); }

  private:
    std::span<const std::byte> rest_;
    bool failed_ = false;
};

}  // namespace spyglass

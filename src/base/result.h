// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a function that can fail returns. An Error is a stack of causes, innermost first: each layer
// adds one sentence about what it was doing; the top layer (cli, or the agent's lifecycle) decides
// what the failure means and prints it. Mistakes in what a user wrote are base/diagnostic.h.
//
// No exceptions: these types are used in the target as well. Any thread; values are owned.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace spyglass {

class [[nodiscard]] Error {
  public:
    explicit Error(std::string cause) { causes_.push_back(std::move(cause)); }

    /// `errno_value` as the system says it: "open /x: No such file or directory (2)".
    static Error from_errno(std::string what, int errno_value);

    /// One more sentence from the layer above: what it was doing when this happened.
    Error&& because(std::string context) && {
        causes_.push_back(std::move(context));
        return std::move(*this);
    }
    /// What the person can do about it. The innermost remedy wins.
    Error&& remedy(std::string text) && {
        if (remedy_.empty()) remedy_ = std::move(text);
        return std::move(*this);
    }
    /// A stable word for tests and scripts ("ptrace-scope", "not-python"); "" when nobody named
    /// one.
    Error&& code(std::string word) && {
        if (code_.empty()) code_ = std::move(word);
        return std::move(*this);
    }

    const std::vector<std::string>& causes() const { return causes_; }
    const std::string& remedy() const { return remedy_; }
    const std::string& code() const { return code_; }

    /// Outermost cause first, joined with ": "; the remedy is not part of it.
    std::string message() const;

  private:
    std::vector<std::string> causes_;
    std::string remedy_;
    std::string code_;
};

/// A value or an Error. `if (!r) return std::move(r).error();`
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() & { return *std::get_if<0>(&state_); }
    const T& operator*() const& { return *std::get_if<0>(&state_); }
    T&& operator*() && { return std::move(*std::get_if<0>(&state_)); }
    T* operator->() { return std::get_if<0>(&state_); }
    const T* operator->() const { return std::get_if<0>(&state_); }
    const Error& error() const& { return *std::get_if<1>(&state_); }
    Error&& error() && { return std::move(*std::get_if<1>(&state_)); }

  private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

    explicit operator bool() const { return !error_; }
    const Error& error() const& { return *error_; }
    Error&& error() && { return std::move(*error_); }

  private:
    std::optional<Error> error_;
};

}  // namespace spyglass

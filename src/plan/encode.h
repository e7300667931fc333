// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plans to bytes and back. Decoding trusts nothing: a damaged plan is an Error. Any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"

namespace spyglass::plan {

std::vector<std::byte> encode(const Program& program);
std::vector<std::byte> encode(const ListingFilter& filter);
Result<Program> decode_program(std::span<const std::byte> untrusted_bytes);
Result<ListingFilter> decode_listing_filter(std::span<const std::byte> untrusted_bytes);

}  // namespace spyglass::plan

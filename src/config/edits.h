// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A configuration is a sequence of edits on what stands: that is why RESET and REMOVE exist. Any
// thread.
#pragma once

#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "config/configuration.h"

namespace spyglass::config {

enum class Verb : uint8_t { set, reset, remove };

struct DomainTarget {
    schema::DomainId domain;
};
struct LexgionDefaultTarget {
    std::optional<schema::DomainId> domain;  // none: [Lexgion.default]
};
struct RegionsTarget {
    std::vector<Region> regions;
    bool all = false;  // "(*)", with REMOVE alone
};
using Target = std::variant<DomainTarget, PunitConstraint, LexgionDefaultTarget, RegionsTarget>;

/// One section as it is written.
struct Edit {
    Verb verb = Verb::set;
    Target target = LexgionDefaultTarget{};
    std::vector<schema::DomainId> parents;     // empty: keep those that stand
    std::vector<PunitConstraint> constraints;  // likewise
    Keys keys;
    Origin origin;
    Location location;  // of the header
    uint32_t length = 1;
};

struct Applied {
    /// Modes that these edits set themselves: on a reload, the only ones that change.
    ModeChanges modes;
    Diagnostics warnings;  // what was removed was not there
};

Applied apply_edits(const std::vector<Edit>& edits, Configuration& configuration);

}  // namespace spyglass::config

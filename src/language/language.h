// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one door to this room: the text of a probe program, or of a listing filter, to what the agent
// runs. Mistakes come back as diagnostics with places; a plan with errors must not be used. Knows
// no process and no Python runtime: whether an action is valid Python is the target's to say. Any
// thread.
#pragma once

#include "base/diagnostic.h"
#include "base/source_text.h"
#include "plan/plan.h"

namespace spyglass::language {

struct Parsed {
    plan::Program program;
    Diagnostics diagnostics;
};
Parsed parse(const SourceText& source);

struct ParsedFilter {
    plan::ListingFilter filter;
    Diagnostics diagnostics;
};
ParsedFilter parse_listing_filter(const SourceText& source);

}  // namespace spyglass::language

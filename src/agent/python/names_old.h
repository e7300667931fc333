// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Qualified names for CPython 3.8 to 3.10, whose code objects do not know them. Found from the
// functions and classes of the module, the code they enclose, and the class of the first argument;
// when none of these knows the code object, the plain name. No code of the program runs: only exact
// dictionaries and type objects are looked into. GIL held.
#pragma once

#include <string>

#include "agent/python/names.h"

namespace spyglass::agent::python {

std::string old_qualname(const Moment& moment, const Names& known);

/// The index that this builds per module lasts for one arming.
void forget_old_qualnames();

}  // namespace spyglass::agent::python

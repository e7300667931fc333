// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Actions and predicates become functions without arguments, compiled by the target's own Python:
// names that an action assigns are the function's locals, the table of names is its globals, and
// its builtins resolve bare names at the probe site (names/site_names.h). GIL held; no exception is
// left.
#pragma once

#include <optional>
#include <string>

#include "agent/probes/engine.h"
#include "agent/python/capi.h"

namespace spyglass::agent::probes {

struct Compiled {
    python::Ref function;
    std::optional<InstallFailure> failure;  // without the clause's number
};

/// Globals for what is compiled.
struct Tables {
    PyObject* site;   // bare names resolve at the probe site
    PyObject* plain;  // the same names with the real builtins: the interpreter's fast lookups apply
};

/// Null function and no failure: there is nothing to do.
Compiled compile_action(const std::string& text, const Tables& tables);
Compiled compile_predicate(const std::string& text, const Tables& tables);

/// Whether the function, or one that it defines, mentions `name`.
bool mentions(PyObject* function, const char* name);

inline constexpr char action_filename[] = "<action>";

}  // namespace spyglass::agent::probes

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Names of a region (code object), resolved once per region and arming, then cached with it.
// `co_qualname` exists since 3.11; before, the qualified name comes from the function object or the
// enclosing code, else it is the plain name. The module is `__name__` of the globals of the frame
// that was first seen (a code object run in several modules keeps its first). GIL held; views and
// objects live as long as the region.
#pragma once

#include <string>

#include "agent/python/moment.h"

namespace spyglass::agent::python {

struct Names {
    std::string name;      // co_name
    std::string qualname;  // without module
    std::string module;    // "" when the globals have no __name__
    std::string qpath;     // module + "." + qualname, or qualname
    std::string filename;  // co_filename; surrogates escaped as \udcXX would be in Python's ascii()
    uint32_t first_line = 0;
    PyObject* name_object = nullptr;   // str, owned by the region
    PyObject* qpath_object = nullptr;  // str, owned by the region
};

/// Never null; on failure inside, names hold what could be found.
const Names& names_of(const Moment& moment);

}  // namespace spyglass::agent::python

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "schema/domain.h"

namespace spyglass::schema {

namespace {

// In the order of PythonEvent.
constexpr EventSpec events[] = {
    {"pysysmon_py_start", true, "a Python function is entered"},
    {"pysysmon_py_return", true, "a Python function is left: by return or by an exception"},
    {"pysysmon_c_start", true, "a Python function calls a C function or method"},
    {"pysysmon_c_return", true, "the C function or method returned or raised"},
    {"pysysmon_import", false, "a module is imported: begin and end"},
};

constexpr PunitSpec punits[] = {{"thread", 255, true}};

}  // namespace

const Domain python_domain = {DomainId::python,      "Python", "PYTHON",
                              RegionNaming::by_name, events,   punits};

}  // namespace spyglass::schema

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/names/table.h"

namespace spyglass::agent::probes {

using python::api;

bool make_table(Program& program) {
    program.table = Ref::steal(api.PyDict_New());
    program.vars = Ref::steal(make_variables());
    program.maps_object = Ref::steal(make_maps());
    const Ref context = Ref::steal(make_context());
    const Ref aggregations = Ref::steal(make_aggregations());
    const Ref site_names = Ref::steal(make_site_names());
    PyObject* const table = program.table.get();
    if (!table || !program.vars || !program.maps_object || !context || !aggregations || !site_names)
        return false;
    const auto add = [&](const char* name, PyObject* value) {
        return api.PyDict_SetItemString(table, name, value) == 0;
    };
    if (!add("vars", program.vars.get()) || !add("maps", program.maps_object.get()) ||
        !add("ctx", context.get()) || !add("agg", aggregations.get()) || !add_functions(table)) {
        return false;
    }
    const Ref shortcut = Ref::steal(make_shortcut());
    if (!shortcut || !add("pmt", shortcut.get())) return false;
    program.plain_table =
        Ref::steal(api.PyObject_CallFunctionObjArgs(api.PyDict_Type, table, nullptr));
    return program.plain_table && add("__builtins__", site_names.get()) &&
           api.PyDict_SetItemString(program.plain_table.get(), "__builtins__",
                                    api.PyEval_GetBuiltins()) == 0;
}

}  // namespace spyglass::agent::probes

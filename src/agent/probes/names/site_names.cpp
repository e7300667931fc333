// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Bare names: what stands in for the builtins of an action. Because it is no exact dict, the
// interpreter asks it through its subscript for each name that is neither the action's own nor in
// the table (LOAD_GLOBAL's slow path, Python/ceval.c 3.8 to 3.11, bytecodes.c since): the site's
// local, else its global, else a builtin. Some versions fetch `__import__` and `__build_class__`
// from the dict itself, so it also holds the real builtins.
#include "agent/probes/names/table.h"
#include "agent/probes/names/type.h"

namespace spyglass::agent::probes {

using python::api;

namespace {

PyObject* subscript(PyObject* self, PyObject* name) {
    if (const python::Moment* const moment = here.moment) {
        if (PyObject* const local = moment->access->local(*moment, name)) return local;
        PyObject* const globals = moment->access->globals(*moment);
        if (globals && python::is_instance(globals, api.PyDict_Type)) {
            if (PyObject* const value = api.PyDict_GetItemWithError(globals, name)) {
                api.Py_IncRef(value);
                return value;
            }
        }
    } else {
        // BEGIN and END have no site: the main program's globals stand in.
        PyObject* const main = api.PyImport_AddModule("__main__");
        PyObject* const value =
            main ? api.PyDict_GetItemWithError(api.PyModule_GetDict(main), name) : nullptr;
        if (value) {
            api.Py_IncRef(value);
            return value;
        }
    }
    api.PyErr_Clear();
    if (PyObject* const builtin = api.PyDict_GetItemWithError(self, name)) {
        api.Py_IncRef(builtin);
        return builtin;
    }
    if (!api.PyErr_Occurred()) api.PyErr_SetObject(api.PyExc_KeyError, name);
    return nullptr;
}

PyType_Slot slots[] = {
    {Py_mp_subscript, as_slot(subscript)},
    {0, nullptr},
};
PyType_Spec spec = {"spyglass.names", 0, 0, Py_TPFLAGS_DEFAULT, slots};
PyObject* type = nullptr;

}  // namespace

PyObject* make_site_names() {
    if (!type) {
        const Ref bases = Ref::steal(api.PyTuple_New(1));
        if (!bases) return nullptr;
        api.Py_IncRef(api.PyDict_Type);
        api.PyTuple_SetItem(bases.get(), 0, api.PyDict_Type);
        type = api.PyType_FromSpecWithBases(&spec, bases.get());
    }
    if (!type) return nullptr;
    Ref names = Ref::steal(api.PyObject_CallObject(type, nullptr));
    PyObject* const builtins = api.PyEval_GetBuiltins();
    PyObject *key = nullptr, *value = nullptr;
    Py_ssize_t position = 0;
    while (names && builtins && api.PyDict_Next(builtins, &position, &key, &value)) {
        if (api.PyDict_SetItem(names.get(), key, value) != 0) return nullptr;
    }
    return names.release();
}

}  // namespace spyglass::agent::probes

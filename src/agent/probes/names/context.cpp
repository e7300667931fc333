// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// `ctx`: the probe site's names as attributes; `ctx.globals`: its globals alone. Reads what the
// frame holds at this moment; copies nothing.
#include "agent/probes/names/table.h"
#include "agent/probes/names/type.h"
#include "agent/python/text.h"

namespace spyglass::agent::probes {

using python::api;
using python::utf8_of;

namespace {

PyObject* globals_type = nullptr;
PyObject* context_type = nullptr;

bool is_dunder(const std::string& name) {
    return name.compare(0, 2, "__") == 0;
}

void raise_attribute(const std::string& message) {
    api.PyErr_SetString(api.PyExc_AttributeError, message.c_str());
}

const python::Moment* moment_or_error() {
    if (!here.moment) {
        api.PyErr_SetString(
            api.PyExc_NameError,
            "ctx: there is no probe site in BEGIN and END; globals of the main program can be "
            "used by their bare names");
    }
    return here.moment;
}

// New reference, or null without an error.
PyObject* global_of(const python::Moment& moment, PyObject* name) {
    PyObject* const globals = moment.access->globals(moment);
    PyObject* const value = globals && python::is_instance(globals, api.PyDict_Type)
                                ? api.PyDict_GetItemWithError(globals, name)
                                : nullptr;
    if (value) api.Py_IncRef(value);
    if (!value) api.PyErr_Clear();
    return value;
}

PyObject* globals_get(PyObject* self, PyObject* name) {
    const python::Moment* const moment = moment_or_error();
    if (!moment) return nullptr;
    if (PyObject* const value = global_of(*moment, name)) return value;
    const std::string text = utf8_of(name);
    if (is_dunder(text)) return api.PyObject_GenericGetAttr(self, name);
    raise_attribute("there is no global named '" + text + "' here");
    return nullptr;
}

PyObject* context_get(PyObject* self, PyObject* name) {
    static PyObject* const globals_name = api.PyUnicode_InternFromString("globals");
    const python::Moment* const moment = moment_or_error();
    if (!moment) return nullptr;
    if (name == globals_name) return api.PyObject_CallObject(globals_type, nullptr);
    if (PyObject* const local = moment->access->local(*moment, name)) return local;
    if (PyObject* const global = global_of(*moment, name)) return global;
    const std::string text = utf8_of(name);
    if (is_dunder(text)) return api.PyObject_GenericGetAttr(self, name);
    raise_attribute("there is no local or global named '" + text + "' here");
    return nullptr;
}

int refuse_set(PyObject*, PyObject* name, PyObject*) {
    const std::string text = utf8_of(name);
    raise_attribute("cannot set ctx." + text +
                    ": the program's variables are only read; use vars." + text + " = ... instead");
    return -1;
}

PyType_Slot globals_slots[] = {
    {Py_tp_getattro, as_slot(globals_get)},
    {Py_tp_setattro, as_slot(refuse_set)},
    {0, nullptr},
};
PyType_Spec globals_spec = {"spyglass.globals", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT,
                            globals_slots};

PyType_Slot context_slots[] = {
    {Py_tp_getattro, as_slot(context_get)},
    {Py_tp_setattro, as_slot(refuse_set)},
    {0, nullptr},
};
PyType_Spec context_spec = {"spyglass.ctx", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, context_slots};

}  // namespace

PyObject* make_context() {
    if (!type_from(globals_type, globals_spec) || !type_from(context_type, context_spec))
        return nullptr;
    return api.PyObject_CallObject(context_type, nullptr);
}

}  // namespace spyglass::agent::probes

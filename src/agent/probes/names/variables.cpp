// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// `vars`: the program's variables as attributes, shared by all actions and threads. Assigning an
// aggregation folds it into what stands there: absent and None begin anew, a number goes on from
// it.
#include "agent/probes/names/table.h"
#include "agent/probes/names/type.h"
#include "agent/python/text.h"
#include "aggregate/kinds.h"

namespace spyglass::agent::probes {

using python::api;
using python::utf8_of;

namespace {

struct Variables {
    PyObject base;
    PyObject* values;  // dict
    PyObject* kinds;   // dict: name -> number of the aggregation that was folded in last
};
PyObject* type = nullptr;

PyObject* get(PyObject* self, PyObject* name) {
    auto* const variables = reinterpret_cast<Variables*>(self);
    if (PyObject* const value = api.PyDict_GetItemWithError(variables->values, name)) {
        api.Py_IncRef(value);
        return value;
    }
    const std::string text = utf8_of(name);
    if (text.compare(0, 2, "__") == 0) return api.PyObject_GenericGetAttr(self, name);
    api.PyErr_SetString(api.PyExc_AttributeError, ("vars." + text + " has not been set").c_str());
    return nullptr;
}

bool same_kind(Variables* variables, PyObject* name, aggregate::Kind kind) {
    PyObject* const known = api.PyDict_GetItemWithError(variables->kinds, name);
    if (known) {
        const auto before = static_cast<aggregate::Kind>(api.PyLong_AsSsize_t(known));
        if (before == kind) return true;
        const std::string text =
            "vars." + utf8_of(name) + " holds agg." + std::string(aggregate::kind_name(before)) +
            "(); agg." + std::string(aggregate::kind_name(kind)) + "() cannot go into it as well";
        api.PyErr_SetString(api.PyExc_TypeError, text.c_str());
        return false;
    }
    const Ref number = Ref::steal(api.PyLong_FromLong(static_cast<long>(kind)));
    return number && api.PyDict_SetItem(variables->kinds, name, number.get()) == 0;
}

int set(PyObject* self, PyObject* name, PyObject* value) {
    auto* const variables = reinterpret_cast<Variables*>(self);
    if (!value) return api.PyDict_DelItem(variables->values, name);
    Aggregation aggregation;
    if (!as_aggregation(value, aggregation)) {
        if (api.PyDict_Contains(variables->kinds, name) == 1)
            api.PyDict_DelItem(variables->kinds, name);
        return api.PyDict_SetItem(variables->values, name, value);
    }
    if (!same_kind(variables, name, aggregation.kind)) return -1;
    PyObject* held = api.PyDict_GetItemWithError(variables->values, name);
    if (held == api.None) held = nullptr;
    const Ref folded = Ref::steal(fold_into_variable(held, aggregation));
    return folded ? api.PyDict_SetItem(variables->values, name, folded.get()) : -1;
}

void dealloc(PyObject* self) {
    auto* const variables = reinterpret_cast<Variables*>(self);
    if (variables->values) api.Py_DecRef(variables->values);
    if (variables->kinds) api.Py_DecRef(variables->kinds);
    free_instance(self);
}

PyType_Slot slots[] = {
    {Py_tp_getattro, as_slot(get)},
    {Py_tp_setattro, as_slot(set)},
    {Py_tp_dealloc, as_slot(dealloc)},
    {0, nullptr},
};
PyType_Spec spec = {"spyglass.vars", sizeof(Variables), 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace

PyObject* make_variables() {
    auto* const variables = instance_of<Variables>(type_from(type, spec));
    if (!variables) return nullptr;
    variables->values = api.PyDict_New();
    variables->kinds = api.PyDict_New();
    return reinterpret_cast<PyObject*>(variables);
}

}  // namespace spyglass::agent::probes

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// `agg`: aggregations as values that do nothing until they are assigned to a variable or a map
// entry.
#include "agent/probes/names/table.h"
#include "agent/probes/names/type.h"
#include "aggregate/kinds.h"

namespace spyglass::agent::probes {

using python::api;

namespace {

struct AggregationObject {
    PyObject base;
    PyObject* value;  // null for count
    aggregate::Kind kind;
};
PyObject* value_type = nullptr;
PyObject* functions_type = nullptr;
PyObject* counting = nullptr;  // the one agg.count(): it carries nothing

void dealloc(PyObject* self) {
    PyObject* const value = reinterpret_cast<AggregationObject*>(self)->value;
    if (value) api.Py_DecRef(value);
    free_instance(self);
}

PyType_Slot value_slots[] = {{Py_tp_dealloc, as_slot(dealloc)}, {0, nullptr}};
PyType_Spec value_spec = {"spyglass.aggregation", sizeof(AggregationObject), 0, Py_TPFLAGS_DEFAULT,
                          value_slots};

PyObject* make(aggregate::Kind kind, PyObject* value) {
    auto* const object = instance_of<AggregationObject>(type_from(value_type, value_spec));
    if (!object) return nullptr;
    if (value) api.Py_IncRef(value);
    object->value = value;
    object->kind = kind;
    return reinterpret_cast<PyObject*>(object);
}

PyObject* count(PyObject*, PyObject*) {
    if (!counting) counting = make(aggregate::Kind::count, nullptr);
    if (counting) api.Py_IncRef(counting);
    return counting;
}

template <aggregate::Kind kind>
PyObject* with_value(PyObject*, PyObject* value) {
    return make(kind, value);
}

PyMethodDef methods[] = {
    {"count", count, METH_NOARGS, nullptr},
    {"sum", with_value<aggregate::Kind::sum>, METH_O, nullptr},
    {"min", with_value<aggregate::Kind::min>, METH_O, nullptr},
    {"max", with_value<aggregate::Kind::max>, METH_O, nullptr},
    {"quantize", with_value<aggregate::Kind::quantize>, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot functions_slots[] = {{Py_tp_methods, methods}, {0, nullptr}};
PyType_Spec functions_spec = {"spyglass.agg", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT,
                              functions_slots};

}  // namespace

bool as_aggregation(PyObject* object, Aggregation& aggregation) {
    if (!value_type || !python::is_exactly(object, value_type)) return false;
    const auto* const held = reinterpret_cast<AggregationObject*>(object);
    aggregation = {held->kind, held->value};
    return true;
}

PyObject* make_aggregations() {
    PyObject* const type = type_from(functions_type, functions_spec);
    return type ? api.PyObject_CallObject(type, nullptr) : nullptr;
}

}  // namespace spyglass::agent::probes

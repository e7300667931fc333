// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// `pmt.NAME`: every name of the table, for actions in which a variable of their own shadows one.
#include "agent/probes/names/table.h"
#include "agent/probes/names/type.h"
#include "agent/python/text.h"

namespace spyglass::agent::probes {

using python::api;
using python::utf8_of;

namespace {

struct Shortcut {
    PyObject base;
    uint32_t generation;
};
PyObject* type = nullptr;

PyObject* get(PyObject* self, PyObject* name) {
    const std::string text = utf8_of(name);
    const bool live = is_current(reinterpret_cast<Shortcut*>(self)->generation);
    // The table is asked for, not held: it holds this object.
    PyObject* const value = live && text.compare(0, 2, "__") != 0
                                ? api.PyDict_GetItemWithError(current()->table.get(), name)
                                : nullptr;
    if (value) {
        api.Py_IncRef(value);
        return value;
    }
    if (text.compare(0, 2, "__") == 0) return api.PyObject_GenericGetAttr(self, name);
    api.PyErr_SetString(api.PyExc_AttributeError, ("pmt has no '" + text + "'").c_str());
    return nullptr;
}

int set(PyObject*, PyObject* name, PyObject*) {
    const std::string text = utf8_of(name);
    api.PyErr_SetString(api.PyExc_AttributeError,
                        ("cannot set " + text +
                         ", pmt is readonly, set your attribute on pmt.vars or pmt.maps instead")
                            .c_str());
    return -1;
}

PyType_Slot slots[] = {{Py_tp_getattro, as_slot(get)},
                       {Py_tp_setattro, as_slot(set)},
                       {Py_tp_dealloc, as_slot(free_instance)},
                       {0, nullptr}};
PyType_Spec spec = {"spyglass.pmt", sizeof(Shortcut), 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace

PyObject* make_shortcut() {
    auto* const shortcut = instance_of<Shortcut>(type_from(type, spec));
    if (shortcut) shortcut->generation = current()->generation;
    return reinterpret_cast<PyObject*>(shortcut);
}

}  // namespace spyglass::agent::probes

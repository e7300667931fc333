// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Making a heap type once, and instances of it, within the limited API of 3.8. GIL held.
#pragma once

#include "agent/python/capi.h"

namespace spyglass::agent::probes {

using python::method_fastcall;

template <class Function>
PyCFunction as_method(Function* function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}
template <class Function>
void* as_slot(Function* function) {
    return reinterpret_cast<void*>(function);
}

/// `type` is made from `spec` at the first call. Null with an exception set on failure.
inline PyObject* type_from(PyObject*& type, PyType_Spec& spec) {
    if (!type) type = python::api.PyType_FromSpec(&spec);
    return type;
}

/// A zeroed instance. Null with an exception set on failure.
template <class Object>
Object* instance_of(PyObject* type) {
    if (!type) return nullptr;
    return reinterpret_cast<Object*>(
        python::api.PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(type), 0));
}

/// tp_dealloc for types whose instances own nothing but themselves. Heap types are counted by their
/// instances since 3.8 (bpo-35810).
inline void free_instance(PyObject* object) {
    PyTypeObject* const type = Py_TYPE(object);
    const auto release = reinterpret_cast<freefunc>(python::api.PyType_GetSlot(type, Py_tp_free));
    release(object);
    python::api.Py_DecRef(reinterpret_cast<PyObject*>(type));
}

}  // namespace spyglass::agent::probes

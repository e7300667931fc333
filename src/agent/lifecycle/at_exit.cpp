// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/lifecycle/at_exit.h"

#include "agent/lifecycle/session.h"
#include "agent/python/text.h"

namespace spyglass::agent {

using python::api;
using python::Ref;

namespace {

PyObject* on_exit(PyObject*, PyObject*) {
    if (Session* const session = active_session()) session->program_is_ending();
    api.Py_IncRef(api.None);
    return api.None;
}

PyMethodDef definition = {"spyglass_at_exit", on_exit, METH_NOARGS, nullptr};
PyObject* registered = nullptr;

void call_atexit(const char* function) {
    const Ref module = Ref::steal(api.PyImport_ImportModule("atexit"));
    const Ref callable = module ? python::attribute(module.get(), function) : Ref();
    if (callable && registered) {
        (void)Ref::steal(api.PyObject_CallFunctionObjArgs(callable.get(), registered, nullptr));
    }
    api.PyErr_Clear();
}

}  // namespace

void register_at_exit() {
    registered = api.PyCFunction_NewEx(&definition, nullptr, nullptr);
    call_atexit("register");
}

void unregister_at_exit() {
    call_atexit("unregister");
    if (registered) api.Py_DecRef(registered);
    registered = nullptr;
}

}  // namespace spyglass::agent

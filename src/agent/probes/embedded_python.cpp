// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/embedded_python.h"

#include "agent/guest/recursion_guard.h"

namespace spyglass::agent::probes {

using python::api;
using python::Ref;

namespace {

bool threading_is_imported() {
    PyObject* const modules = api.PySys_GetObject("modules");
    return modules && api.PyDict_GetItemString(modules, "threading") != nullptr;
}

}  // namespace

Ref run_embedded(const char* source,
                 std::initializer_list<std::pair<const char*, PyObject*>> names) {
    constexpr int file_input = 257;  // Py_file_input
    Ref scope = Ref::steal(api.PyDict_New());
    const Ref code = Ref::steal(api.Py_CompileString(source, "<spyglass>", file_input));
    PyObject* const modules = api.PySys_GetObject("modules");
    if (!scope || !code || !modules) return {};
    const Ref copy =
        Ref::steal(api.PyObject_CallFunctionObjArgs(api.PyDict_Type, modules, nullptr));
    if (!copy ||
        api.PyDict_SetItemString(scope.get(), "__builtins__", api.PyEval_GetBuiltins()) != 0 ||
        api.PyDict_SetItemString(scope.get(), "modules", copy.get()) != 0) {
        return {};
    }
    for (const auto& [name, value] : names) {
        if (api.PyDict_SetItemString(scope.get(), name, value) != 0) return {};
    }
    const Ref done = Ref::steal(api.PyEval_EvalCode(code.get(), scope.get(), scope.get()));
    return done ? std::move(scope) : Ref();
}

OwnThreadActions::OwnThreadActions() : threading_known_(threading_is_imported()) {}

OwnThreadActions::~OwnThreadActions() {
    if (threading_known_ || !threading_is_imported() || api.at_least(3, 13)) return;
    const python::ErrorIndicatorScope errors;
    const ActionScope quiet;
    if (!run_embedded(main_thread_source, {})) api.PyErr_Clear();
}

}  // namespace spyglass::agent::probes

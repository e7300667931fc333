// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one door to Python.h: the limited API of 3.8, reached through the table `api`, which
// load_api() fills from the image that holds the target's `_PyRuntime`. The agent has no undefined
// Python symbol, so one file serves every version, libpython loaded RTLD_LOCAL, and two libpythons
// in one process. Never use a Python function, macro or object that is not in the table (the
// linker, -z defs, refuses); reference counts go through api.Py_IncRef/Py_DecRef or Ref, because
// the layout of a reference count changed (PEP 683, PEP 703).
//
// Functions newer than 3.8 or outside the limited API stand in api_optional.def with their
// signature and may be null. GIL: as for the function called. load_api: once per session, any
// thread, no GIL.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03080000
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#include <Python.h>
#pragma GCC diagnostic pop

#include <utility>

#include "base/result.h"

namespace spyglass::agent::python {

struct Api {
#define SPYGLASS_FUNCTION(name) decltype(&::name) name = nullptr;
#define SPYGLASS_TYPE(name) PyObject* name = nullptr;      /* borrowed, never freed */
#define SPYGLASS_EXCEPTION(name) PyObject* name = nullptr; /* borrowed, never freed */
#define SPYGLASS_OPTIONAL(result, name, ...) result (*name)(__VA_ARGS__) = nullptr;
#include "agent/python/api_functions.def"
#include "agent/python/api_objects.def"
#include "agent/python/api_optional.def"
#undef SPYGLASS_FUNCTION
#undef SPYGLASS_TYPE
#undef SPYGLASS_EXCEPTION
#undef SPYGLASS_OPTIONAL
    PyObject* None = nullptr;   // &_Py_NoneStruct
    PyObject* True = nullptr;   // &_Py_TrueStruct
    PyObject* False = nullptr;  // &_Py_FalseStruct
    void* runtime = nullptr;    // &_PyRuntime
    uint32_t version_hex = 0;   // PY_VERSION_HEX of the running interpreter
    bool at_least(unsigned major, unsigned minor) const {
        return version_hex >= ((major << 24) | (minor << 16));
    }
};
extern Api api;

/// A calling convention that 3.8 has and its limited API does not name (Include/methodobject.h).
inline constexpr int method_fastcall = 0x0080;

/// Exact or inherited type, without running code of the program.
inline bool is_instance(PyObject* object, PyObject* type) {
    return Py_TYPE(object) == reinterpret_cast<PyTypeObject*>(type) ||
           api.PyType_IsSubtype(Py_TYPE(object), reinterpret_cast<PyTypeObject*>(type)) != 0;
}
inline bool is_exactly(PyObject* object, PyObject* type) {
    return Py_TYPE(object) == reinterpret_cast<PyTypeObject*>(type);
}

/// Fills `api`. `runtime`: address of `_PyRuntime`, or 0 to search the global scope.
Result<void> load_api(uint64_t runtime);

/// Owned reference; null allowed. GIL held.
class Ref {
  public:
    Ref() = default;
    static Ref steal(PyObject* object) { return Ref(object); }
    static Ref borrow(PyObject* object) {
        if (object) api.Py_IncRef(object);
        return Ref(object);
    }
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Ref& operator=(Ref&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Ref() {
        if (object_) api.Py_DecRef(object_);
    }
    PyObject* get() const { return object_; }
    PyObject* release() { return std::exchange(object_, nullptr); }
    explicit operator bool() const { return object_ != nullptr; }

  private:
    explicit Ref(PyObject* object) : object_(object) {}
    PyObject* object_ = nullptr;
};

/// Saves the error indicator of the calling thread and restores it: the program's own pending
/// exception is never seen by, nor changed through, what we do meanwhile. GIL held.
class ErrorIndicatorScope {
  public:
    ErrorIndicatorScope() { api.PyErr_Fetch(&type_, &value_, &traceback_); }
    ~ErrorIndicatorScope() { api.PyErr_Restore(type_, value_, traceback_); }
    ErrorIndicatorScope(const ErrorIndicatorScope&) = delete;
    ErrorIndicatorScope& operator=(const ErrorIndicatorScope&) = delete;

  private:
    PyObject* type_ = nullptr;
    PyObject* value_ = nullptr;
    PyObject* traceback_ = nullptr;
};

}  // namespace spyglass::agent::python

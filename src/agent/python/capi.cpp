// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/capi.h"

#include <dlfcn.h>

#include "agent/guest/loaded_image.h"

namespace spyglass::agent::python {

constinit Api api;

namespace {

class Lookup {
  public:
    explicit Lookup(uint64_t runtime) {
        if (runtime == 0) runtime = reinterpret_cast<uint64_t>(dlsym(RTLD_DEFAULT, "_PyRuntime"));
        if (runtime != 0) image_ = LoadedImage::containing(runtime);
    }

    void* operator()(const char* name) const {
        void* address = image_ ? image_->symbol(name) : nullptr;
        return address ? address : dlsym(RTLD_DEFAULT, name);
    }

  private:
    std::optional<LoadedImage> image_;
};

template <class Function>
void set(Function& slot, void* address) {
    slot = reinterpret_cast<Function>(address);
}

// Py_Version is data since 3.11; before, the text of Py_GetVersion begins with it.
uint32_t running_version(const Lookup& lookup) {
    if (const auto* version = static_cast<const unsigned long*>(lookup("Py_Version"))) {
        return static_cast<uint32_t>(*version);
    }
    const auto get_version = reinterpret_cast<const char* (*)()>(lookup("Py_GetVersion"));
    if (!get_version) return 0;
    const char* text = get_version();
    unsigned part[3] = {0, 0, 0};
    for (unsigned& each : part) {
        while (*text >= '0' && *text <= '9')
            each = each * 10 + static_cast<unsigned>(*text++ - '0');
        if (*text == '.') ++text;
    }
    return part[0] << 24 | part[1] << 16 | part[2] << 8;
}

}  // namespace

Result<void> load_api(uint64_t runtime) {
    const Lookup lookup(runtime);
    Api table;
    std::string missing;
    const auto required = [&](const char* name) {
        void* const address = lookup(name);
        if (!address && missing.empty()) missing = name;
        return address;
    };
    const auto pointed_to = [&](const char* name) {
        void* const variable = required(name);
        return variable ? *static_cast<PyObject**>(variable) : nullptr;
    };
#define SPYGLASS_FUNCTION(name) set(table.name, required(#name));
#define SPYGLASS_TYPE(name) table.name = static_cast<PyObject*>(required(#name));
#define SPYGLASS_EXCEPTION(name) table.name = pointed_to(#name);
#define SPYGLASS_OPTIONAL(result, name, ...) set(table.name, lookup(#name));
#include "agent/python/api_functions.def"
#include "agent/python/api_objects.def"
#include "agent/python/api_optional.def"
#undef SPYGLASS_FUNCTION
#undef SPYGLASS_TYPE
#undef SPYGLASS_EXCEPTION
#undef SPYGLASS_OPTIONAL
    table.None = static_cast<PyObject*>(required("_Py_NoneStruct"));
    table.True = static_cast<PyObject*>(required("_Py_TrueStruct"));
    table.False = static_cast<PyObject*>(required("_Py_FalseStruct"));
    table.runtime = required("_PyRuntime");
    table.version_hex = running_version(lookup);
    if (!missing.empty())
        return Error("the interpreter does not export " + missing).code("python-api");
    if (!table.PyObject_Vectorcall) table.PyObject_Vectorcall = table._PyObject_Vectorcall;
    if (!table.PyUnstable_Code_GetExtra) {
        table.PyUnstable_Eval_RequestCodeExtraIndex = table._PyEval_RequestCodeExtraIndex;
        table.PyUnstable_Code_GetExtra = table._PyCode_GetExtra;
        table.PyUnstable_Code_SetExtra = table._PyCode_SetExtra;
    }
    api = table;
    return {};
}

}  // namespace spyglass::agent::python

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/names_old.h"

#include <unordered_map>

#include "agent/python/text.h"

namespace spyglass::agent::python {

namespace {

constexpr int max_depth = 16;

// Code objects by address. Each is kept alive by the function or code that was walked; an address
// is only trusted together with the name that was found there.
struct Entry {
    std::string name;
    std::string qualname;
};
using Index = std::unordered_map<PyObject*, Entry>;

struct ModuleIndex {
    Index codes;
    Py_ssize_t globals_size = -1;
};
std::unordered_map<PyObject*, ModuleIndex>& modules() {
    static auto* const all = new std::unordered_map<PyObject*, ModuleIndex>;
    return *all;
}

class Walk {
  public:
    Walk(Index& index, PyObject* code_type, PyObject* function_type, const std::string& module)
        : index_(index), code_type_(code_type), function_type_(function_type), module_(module) {}

    void namespace_of(PyObject* dict, const std::string& prefix, int depth) {
        if (!dict || depth > max_depth || !is_instance(dict, api.PyDict_Type)) return;
        PyObject* key = nullptr;
        PyObject* value = nullptr;
        Py_ssize_t position = 0;
        while (api.PyDict_Next(dict, &position, &key, &value)) object(value, prefix, depth);
    }

  private:
    void object(PyObject* value, const std::string& prefix, int depth) {
        if (is_exactly(value, function_type_)) return function(value);
        const std::string type_name =
            utf8_of(attribute(reinterpret_cast<PyObject*>(Py_TYPE(value)), "__name__").get());
        if (type_name == "classmethod" || type_name == "staticmethod") {
            if (const Ref inner = attribute(value, "__func__"))
                object(inner.get(), prefix, depth + 1);
        } else if (type_name == "property") {
            for (const char* part : {"fget", "fset", "fdel"}) {
                const Ref inner = attribute(value, part);
                if (inner && is_exactly(inner.get(), function_type_)) function(inner.get());
            }
        } else if (is_exactly(value, api.PyType_Type)) {
            klass(value, depth);
        }
    }

    // A class is walked where it was defined, so that names imported elsewhere are not followed
    // far.
    void klass(PyObject* type, int depth) {
        const Ref dict = attribute(type, "__dict__");  // mappingproxy
        if (!dict || utf8_of(attribute(type, "__module__").get()) != module_) return;
        const Ref values = Ref::steal(
            api.PyObject_CallFunctionObjArgs(attribute(dict.get(), "values").get(), nullptr));
        const Ref iterator = values ? Ref::steal(api.PyObject_GetIter(values.get())) : Ref();
        while (iterator) {
            const Ref value = Ref::steal(api.PyIter_Next(iterator.get()));
            if (!value) break;
            if (depth < max_depth) object(value.get(), {}, depth + 1);
        }
        api.PyErr_Clear();
    }

    void function(PyObject* value) {
        const Ref code = attribute(value, "__code__");
        const Ref qualname = attribute(value, "__qualname__");
        if (code && qualname) enclose(code.get(), utf8_of(qualname.get()), 0);
        // A decorator that keeps what it wraps.
        const Ref wrapped = attribute(value, "__wrapped__");
        if (wrapped && is_exactly(wrapped.get(), function_type_)) {
            const Ref inner = attribute(wrapped.get(), "__code__");
            if (inner && index_.find(inner.get()) == index_.end()) function(wrapped.get());
        }
    }

    void enclose(PyObject* code, const std::string& qualname, int depth) {
        if (depth > max_depth || !is_exactly(code, code_type_)) return;
        const std::string name = utf8_of(attribute(code, "co_name").get());
        if (!index_.emplace(code, Entry{name, qualname}).second) return;
        const Ref constants = attribute(code, "co_consts");
        if (!constants) return;
        // A class body has neither CO_OPTIMIZED nor CO_NEWLOCALS: what it encloses is "Class.name".
        const Ref flags = attribute(code, "co_flags");
        const bool is_function = flags && (api.PyLong_AsSsize_t(flags.get()) & 1) != 0;
        for (Py_ssize_t i = 0; i < api.PyTuple_Size(constants.get()); ++i) {
            PyObject* const constant = api.PyTuple_GetItem(constants.get(), i);
            if (!is_exactly(constant, code_type_)) continue;
            const std::string inner = utf8_of(attribute(constant, "co_name").get());
            enclose(constant, qualname + (is_function ? ".<locals>." : ".") + inner, depth + 1);
        }
    }

    Index& index_;
    PyObject* code_type_;
    PyObject* function_type_;
    const std::string& module_;
};

// Methods of classes that no module namespace holds: by the class of the first argument.
std::string by_first_argument(const Moment& moment, const Names& known) {
    const Ref names = attribute(moment.code, "co_varnames");
    const Ref count = attribute(moment.code, "co_argcount");
    if (!names || !count || api.PyLong_AsSsize_t(count.get()) < 1) return {};
    PyObject* const first = api.PyTuple_GetItem(names.get(), 0);
    const Ref object = Ref::steal(moment.access->local(moment, first));
    if (!object) return {};
    PyObject* type = is_instance(object.get(), api.PyType_Type)
                         ? object.get()
                         : reinterpret_cast<PyObject*>(Py_TYPE(object.get()));
    const Ref order = attribute(type, "__mro__");
    if (!order || !is_exactly(order.get(), api.PyTuple_Type)) return {};
    for (Py_ssize_t i = 0; i < api.PyTuple_Size(order.get()); ++i) {
        PyObject* const base = api.PyTuple_GetItem(order.get(), i);
        const Ref dict = attribute(base, "__dict__");
        const Ref name = text_of(known.name);
        Ref member = dict ? Ref::steal(api.PyObject_GetItem(dict.get(), name.get())) : Ref();
        if (!member) {
            api.PyErr_Clear();
            continue;
        }
        if (Ref inner = attribute(member.get(), "__func__")) member = std::move(inner);
        const Ref code = attribute(member.get(), "__code__");
        if (code && code.get() == moment.code) {
            if (const Ref qualname = attribute(member.get(), "__qualname__"))
                return utf8_of(qualname.get());
        }
    }
    return {};
}

}  // namespace

std::string old_qualname(const Moment& moment, const Names& known) {
    if (known.name == "<module>") return known.name;
    PyObject* const globals = moment.access->globals(moment);
    if (globals && is_instance(globals, api.PyDict_Type)) {
        ModuleIndex& module = modules()[globals];
        const Py_ssize_t size = api.PyDict_Size(globals);
        auto found = module.codes.find(moment.code);
        if (found == module.codes.end() && size != module.globals_size) {
            module.globals_size = size;
            const Ref types = Ref::steal(api.PyImport_ImportModule("types"));
            if (types) {
                const Ref function_type = attribute(types.get(), "FunctionType");
                Walk(module.codes, reinterpret_cast<PyObject*>(Py_TYPE(moment.code)),
                     function_type.get(), known.module)
                    .namespace_of(globals, {}, 0);
            }
            api.PyErr_Clear();
            found = module.codes.find(moment.code);
        }
        if (found != module.codes.end() && found->second.name == known.name)
            return found->second.qualname;
    }
    std::string by_argument = by_first_argument(moment, known);
    return by_argument.empty() ? known.name : by_argument;
}

void forget_old_qualnames() {
    modules().clear();
}

}  // namespace spyglass::agent::python

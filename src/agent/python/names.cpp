// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/names.h"

#include "agent/python/code_state.h"
#include "agent/python/names_old.h"
#include "agent/python/text.h"

namespace spyglass::agent::python {

namespace {

std::string module_of(const Moment& moment) {
    PyObject* const globals = moment.access->globals(moment);
    if (!globals || !is_instance(globals, api.PyDict_Type)) return {};
    PyObject* const name = api.PyDict_GetItemString(globals, "__name__");
    return utf8_of(name);
}

PyObject* interned(const std::string& text) {
    PyObject* object = text_of(text).release();
    if (object) {
        api.PyUnicode_InternInPlace(&object);
    } else {
        api.PyErr_Clear();
    }
    return object;
}

}  // namespace

const Names& names_of(const Moment& moment) {
    CodeState& state = code_state(moment);
    if (state.named) return state.names;
    Names& names = state.names;
    names.name = utf8_of(attribute(moment.code, "co_name").get());
    names.filename = utf8_of(attribute(moment.code, "co_filename").get());
    if (const Ref line = attribute(moment.code, "co_firstlineno")) {
        names.first_line = static_cast<uint32_t>(api.PyLong_AsSsize_t(line.get()));
    }
    names.module = module_of(moment);
    if (const Ref qualname = attribute(moment.code, "co_qualname")) {
        names.qualname = utf8_of(qualname.get());  // since 3.11
    } else {
        names.qualname = old_qualname(moment, names);
    }
    names.qpath = names.module.empty() ? names.qualname : names.module + "." + names.qualname;
    names.name_object = interned(names.name);
    names.qpath_object = interned(names.qpath);
    state.named = true;
    return names;
}

}  // namespace spyglass::agent::python

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/frame.h"

#include "agent/python/code_state.h"
#include "agent/python/text.h"

namespace spyglass::agent::python {

namespace {

Py_ssize_t count_of(PyObject* code, const char* name) {
    const Ref value = attribute(code, name);
    return value ? api.PyLong_AsSsize_t(value.get()) : 0;
}

// "module.qualname:line" of any frame object.
std::string place_of(PyObject* frame) {
    const Ref code = attribute(frame, "f_code");
    const Ref globals = attribute(frame, "f_globals");
    std::string text;
    if (globals && is_instance(globals.get(), api.PyDict_Type)) {
        text = utf8_of(api.PyDict_GetItemString(globals.get(), "__name__"));
        if (!text.empty()) text += ".";
    }
    if (code) {
        const CodeState* const state = find_code_state(code.get());
        Ref qualname;
        if (state && state->named) {
            text = state->names.qpath;
        } else if ((qualname = attribute(code.get(), "co_qualname"))) {
            text += utf8_of(qualname.get());
        } else {
            text += utf8_of(attribute(code.get(), "co_name").get());
        }
    }
    const Ref line = attribute(frame, "f_lineno");
    const bool has_line = line && is_exactly(line.get(), api.PyLong_Type);
    return text + ":" + (has_line ? std::to_string(api.PyLong_AsSsize_t(line.get())) : "?");
}

}  // namespace

PyObject* arguments_of(const Moment& moment) {
    Ref dict = Ref::steal(api.PyDict_New());
    const Ref names = attribute(moment.code, "co_varnames");
    if (!dict || !names) return dict.release();
    const Py_ssize_t positional = count_of(moment.code, "co_argcount");
    const Py_ssize_t keyword_only = count_of(moment.code, "co_kwonlyargcount");
    const uint32_t flags = code_state(moment).flags;
    const auto add = [&](Py_ssize_t index) {
        PyObject* const name = api.PyTuple_GetItem(names.get(), index);
        if (!name) {
            api.PyErr_Clear();
            return;
        }
        const Ref value = Ref::steal(moment.access->local(moment, name));
        if (value && api.PyDict_SetItem(dict.get(), name, value.get()) != 0) api.PyErr_Clear();
    };
    // co_varnames: positional, keyword-only, *args, **kwargs (Objects/codeobject.c).
    Py_ssize_t next = positional + keyword_only;
    for (Py_ssize_t i = 0; i < positional; ++i) add(i);
    if (flags & CodeState::has_varargs) add(next++);
    for (Py_ssize_t i = positional; i < positional + keyword_only; ++i) add(i);
    if (flags & CodeState::has_varkeywords) add(next);
    return dict.release();
}

PyObject* stack_of(const Moment& moment, Py_ssize_t limit) {
    const Ref places = Ref::steal(api.PyList_New(0));
    if (!places) return nullptr;
    const auto add = [&](const std::string& place) {
        const Ref text = text_of(place);
        return text && api.PyList_Append(places.get(), text.get()) == 0;
    };
    if (limit != 0) {
        const std::string first =
            names_of(moment).qpath + ":" + std::to_string(moment.access->line(moment));
        if (!add(first)) return nullptr;
    }
    Ref frame = Ref::steal(moment.access->caller(moment));
    for (Py_ssize_t depth = 1; frame && frame.get() != api.None && (limit < 0 || depth < limit);
         ++depth) {
        if (!add(place_of(frame.get()))) return nullptr;
        frame = attribute(frame.get(), "f_back");
    }
    const Py_ssize_t count = api.PyList_Size(places.get());
    Ref tuple = Ref::steal(api.PyTuple_New(count));
    for (Py_ssize_t i = 0; tuple && i < count; ++i) {
        PyObject* const item = api.PyList_GetItem(places.get(), i);
        api.Py_IncRef(item);
        api.PyTuple_SetItem(tuple.get(), i, item);
    }
    return tuple.release();
}

PyObject* caller_of(const Moment& moment) {
    const Ref frame = Ref::steal(moment.access->caller(moment));
    return text_of(frame && frame.get() != api.None ? place_of(frame.get()) : "").release();
}

}  // namespace spyglass::agent::python

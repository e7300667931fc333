// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sites that probes could have: what listing.py finds, filtered, one line each.
#include <algorithm>

#include "agent/guest/recursion_guard.h"
#include "agent/probes/embedded_python.h"
#include "agent/probes/engine.h"
#include "agent/python/capi.h"
#include "agent/python/text.h"
#include "base/glob.h"

namespace spyglass::agent::probes {

using python::api;
using python::Ref;
using python::utf8_of;

namespace {

bool matches(const std::string& pattern, const std::string& text) {
    return pattern.empty() || glob_matches(pattern, text);
}

Error listing_failed() {
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    api.PyErr_Fetch(&type, &value, &traceback);
    const Ref text = value ? Ref::steal(api.PyObject_Str(value)) : Ref();
    const std::string message = utf8_of(text.get());
    api.PyErr_Clear();
    for (PyObject* each : {type, value, traceback}) {
        if (each) api.Py_DecRef(each);
    }
    return Error("the target could not list its functions: " + message);
}

// Every object that the collector knows; `gc` is not left imported when the program had no use for
// it.
Ref objects_of_collector() {
    const Ref name = python::text_of("gc");
    if (!name) return {};
    Ref collector = Ref::steal(api.PyImport_GetModule(name.get()));
    const bool was_imported = static_cast<bool>(collector);
    if (!was_imported) collector = Ref::steal(api.PyImport_ImportModule("gc"));
    const Ref get_objects = collector ? python::attribute(collector.get(), "get_objects") : Ref();
    Ref objects =
        get_objects ? Ref::steal(api.PyObject_CallObject(get_objects.get(), nullptr)) : Ref();
    PyObject* const modules = api.PySys_GetObject("modules");
    if (!was_imported && modules && api.PyDict_DelItem(modules, name.get()) != 0) api.PyErr_Clear();
    return objects;
}

Ref collect(bool wants_lines) {
    const Ref builtins_module = Ref::steal(api.PyImport_ImportModule("builtins"));
    const Ref objects = wants_lines ? Ref::steal(api.PyList_New(0)) : objects_of_collector();
    if (!builtins_module || !objects) return {};
    const Ref scope =
        run_embedded(listing_source, {{"__builtins_module__", builtins_module.get()},
                                      {"objects", objects.get()},
                                      {"wants_lines", wants_lines ? api.True : api.False}});
    return scope ? Ref::borrow(api.PyDict_GetItemString(scope.get(), "result")) : Ref();
}

void add_function_sites(PyObject* item, const plan::ListingFilter& filter,
                        std::vector<std::string>& lines) {
    const std::string qpath = utf8_of(api.PyTuple_GetItem(item, 0));
    const bool suspends = api.PyTuple_GetItem(item, 1) == api.True;
    // As a probe would match: in the main script the bare name as well.
    constexpr std::string_view main_prefix = "__main__.";
    const bool bare = qpath.compare(0, main_prefix.size(), main_prefix) == 0 &&
                      matches(filter.first, qpath.substr(main_prefix.size()));
    if (!bare && !matches(filter.first, qpath)) return;
    const auto add = [&](const char* site) {
        if (matches(filter.second, site)) lines.push_back("func:" + qpath + ":" + site);
    };
    for (const char* site : {"start", "return", "unwind"}) add(site);
    if (!suspends) return;
    for (const char* site : {"yield", "resume"}) add(site);
}

}  // namespace

Result<std::vector<std::string>> list_sites(const plan::ListingFilter& filter) {
    std::vector<std::string> lines;
    if (filter.probe == "pymontrace" || filter.probe == "spyglass") {
        for (const char* hook : {"BEGIN", "END"}) {
            if (filter.first.empty() && matches(filter.second, hook))
                lines.push_back(filter.probe + "::" + hook);
        }
        return lines;
    }
    const ActionScope quiet;
    const bool wants_lines = filter.probe == "line";
    const Ref items = collect(wants_lines);
    if (!items) return listing_failed();
    const Py_ssize_t count = api.PyList_Size(items.get());
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* const item = api.PyList_GetItem(items.get(), i);
        if (wants_lines) {
            lines.push_back(utf8_of(item));
        } else {
            add_function_sites(item, filter, lines);
        }
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
}

}  // namespace spyglass::agent::probes

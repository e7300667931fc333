// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Python text to UTF-8 and back. Lone surrogates, which UTF-8 cannot hold, become escapes (\udc80),
// so nothing fails and nothing is lost. GIL held; no exception is left behind.
#pragma once

#include <string>
#include <string_view>

#include "agent/python/capi.h"

namespace spyglass::agent::python {

/// "" for anything that is not a str.
std::string utf8_of(PyObject* text);

/// Bytes that are not UTF-8 are escaped as well. Null only when memory is exhausted (error set).
Ref text_of(std::string_view utf8);

/// Attribute of an object of an exact builtin type; null and no error when absent. Never
/// PyObject_GetAttrString: it makes a new string each time, and the interpreter's cache of methods
/// keeps it (Objects/typeobject.c, method_cache), so that every session would leave some behind.
Ref attribute(PyObject* object, const char* name);
Ref attribute(PyObject* object, PyObject* name);

}  // namespace spyglass::agent::python

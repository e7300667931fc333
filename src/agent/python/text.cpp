// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/text.h"

namespace spyglass::agent::python {

std::string utf8_of(PyObject* text) {
    if (!text || !is_instance(text, api.PyUnicode_Type)) return {};
    if (api.PyUnicode_AsUTF8AndSize) {
        Py_ssize_t bytes = 0;
        if (const char* utf8 = api.PyUnicode_AsUTF8AndSize(text, &bytes)) {
            return std::string(utf8, static_cast<size_t>(bytes));
        }
        api.PyErr_Clear();
    }
    const Ref encoded =
        Ref::steal(api.PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace"));
    char* data = nullptr;
    Py_ssize_t bytes = 0;
    if (!encoded || api.PyBytes_AsStringAndSize(encoded.get(), &data, &bytes) != 0) {
        api.PyErr_Clear();
        return {};
    }
    return std::string(data, static_cast<size_t>(bytes));
}

Ref text_of(std::string_view utf8) {
    Ref text = Ref::steal(
        api.PyUnicode_FromStringAndSize(utf8.data(), static_cast<Py_ssize_t>(utf8.size())));
    if (text) return text;
    api.PyErr_Clear();
    std::string escaped;
    for (const char c : utf8) {
        const auto byte = static_cast<unsigned char>(c);
        constexpr char digits[] = "0123456789abcdef";
        if (byte < 0x80) {
            escaped += c;
        } else {
            escaped += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return Ref::steal(
        api.PyUnicode_FromStringAndSize(escaped.data(), static_cast<Py_ssize_t>(escaped.size())));
}

Ref attribute(PyObject* object, const char* name) {
    const Ref text = Ref::steal(api.PyUnicode_InternFromString(name));
    if (!text) api.PyErr_Clear();
    return text ? attribute(object, text.get()) : Ref();
}

Ref attribute(PyObject* object, PyObject* name) {
    Ref value = Ref::steal(api.PyObject_GetAttr(object, name));
    if (!value) api.PyErr_Clear();
    return value;
}

}  // namespace spyglass::agent::python

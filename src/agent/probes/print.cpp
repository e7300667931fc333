// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/print.h"

#include <algorithm>

#include "agent/python/text.h"
#include "base/clock.h"

namespace spyglass::agent::probes {

using python::api;
using python::Ref;
using python::utf8_of;

namespace {

constexpr uint64_t max_wait_ns = 100'000'000;

}  // namespace

bool append_text(PyObject* object, std::string& text) {
    Ref string = python::is_exactly(object, api.PyUnicode_Type)
                     ? Ref::borrow(object)
                     : Ref::steal(api.PyObject_Str(object));
    if (!string) return false;
    const Py_ssize_t length = api.PyUnicode_GetLength(string.get());
    const auto room =
        static_cast<Py_ssize_t>(max_text_bytes - std::min(max_text_bytes, text.size()));
    if (length > room) {
        string = Ref::steal(api.PyUnicode_Substring(string.get(), 0, room));
        if (!string) return false;
    }
    text += utf8_of(string.get());
    if (length > room) text += "... (" + std::to_string(length - room) + " more characters)";
    return true;
}

std::string bounded_text(PyObject* object) {
    std::string text;
    if (!append_text(object, text)) {
        api.PyErr_Clear();
        text = "<its str() failed>";
    }
    return text;
}

void write_text(Program& program, wire::RecordKind kind, uint16_t clause, std::string_view text) {
    backends::TextSink& sink = *program.options.sink;
    const uint32_t generation = program.generation;
    do {
        const size_t bytes = std::min<size_t>(text.size(), wire::max_fragment_bytes);
        const bool more = bytes < text.size();
        bool waited = false;
        while (sink.write(kind, clause, more, text.substr(0, bytes)) ==
               backends::WriteResult::full) {
            if (program.options.drop_instead_of_wait || program.wait_left_ns == 0) {
                sink.count_dropped();
                return;
            }
            waited = true;
            const uint64_t began = monotonic_ns();
            PyThreadState* const state = api.PyEval_SaveThread();
            sink.wait_for_space(program.wait_left_ns);
            api.PyEval_RestoreThread(state);
            if (!is_current(generation)) return;
            program.wait_left_ns -= std::min(program.wait_left_ns, monotonic_ns() - began);
        }
        // The reader keeps up again: the next burst may wait anew.
        if (!waited) program.wait_left_ns = max_wait_ns;
        text.remove_prefix(bytes);
    } while (!text.empty());
}

}  // namespace spyglass::agent::probes

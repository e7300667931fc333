// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/report.h"

#include "agent/probes/compile.h"
#include "agent/probes/print.h"
#include "agent/python/text.h"

namespace spyglass::agent::probes {

using python::api;
using python::attribute;
using python::Ref;
using python::utf8_of;

namespace {

constexpr int max_frames = 30;

std::string line_of(const std::string& text, size_t number) {
    size_t begin = 0;
    for (size_t line = 1; line < number; ++line) {
        begin = text.find('\n', begin);
        if (begin == std::string::npos) return {};
        ++begin;
    }
    std::string line = text.substr(begin, text.find('\n', begin) - begin);
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t") + 1);
    return line;
}

size_t number_of(PyObject* object, const char* name) {
    const Ref value = attribute(object, name);
    return value && python::is_instance(value.get(), api.PyLong_Type)
               ? static_cast<size_t>(api.PyLong_AsSsize_t(value.get()))
               : 0;
}

std::string traceback_text(const Clause& clause, Ref traceback) {
    std::string text;
    for (int depth = 0; traceback && traceback.get() != api.None && depth < max_frames; ++depth) {
        const Ref frame = attribute(traceback.get(), "tb_frame");
        const Ref code = frame ? attribute(frame.get(), "f_code") : Ref();
        if (!code) break;
        const std::string file = utf8_of(attribute(code.get(), "co_filename").get());
        const size_t line = number_of(traceback.get(), "tb_lineno");
        if (file == action_filename) {
            text += "  in the action, line " + std::to_string(line) + " (line " +
                    std::to_string(clause.source->action_line + line - 1) + " of the program)\n";
            const std::string source = line_of(clause.source->action, line);
            if (!source.empty()) text += "    " + source + "\n";
        } else {
            const std::string name = utf8_of(attribute(code.get(), "co_name").get());
            text += "  File \"" + file + "\", line " + std::to_string(line) + ", in " + name + "\n";
        }
        traceback = attribute(traceback.get(), "tb_next");
    }
    return text;
}

}  // namespace

void report_exception(Program& program, Clause& clause, bool interrupted) {
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    api.PyErr_Fetch(&type, &value, &traceback);
    api.PyErr_NormalizeException(&type, &value, &traceback);
    const Ref type_ref = Ref::steal(type);
    const Ref value_ref = Ref::steal(value);
    Ref traceback_ref = Ref::steal(traceback);
    if (clause.errors++ != 0) return;

    const uint32_t generation = program.generation;
    std::string text = "Probe action failed: " + clause.source->sites.front().text;
    if (clause.source->sites.size() > 1) text += ", ...";
    text += "\n" + traceback_text(clause, std::move(traceback_ref));
    if (interrupted) {
        text += "  it ran longer than an action may (--action-timeout) and was interrupted\n";
    } else if (value_ref) {
        const std::string name = utf8_of(
            attribute(reinterpret_cast<PyObject*>(Py_TYPE(value_ref.get())), "__name__").get());
        const std::string message = bounded_text(value_ref.get());  // may run code of the program
        text += name + (message.empty() ? "" : ": " + message) + "\n";
    }
    if (is_current(generation)) {
        write_text(program, wire::RecordKind::action_error, static_cast<uint16_t>(clause.index),
                   text);
    }
}

}  // namespace spyglass::agent::probes

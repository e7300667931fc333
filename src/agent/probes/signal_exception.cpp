// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/signal_exception.h"

#include <csignal>
#include <vector>

#include "agent/python/text.h"

namespace spyglass::agent::probes {

using python::api;
using python::attribute;
using python::Ref;
using python::utf8_of;

namespace {

Ref code_of_frame_at(PyObject* traceback) {
    const Ref frame = attribute(traceback, "tb_frame");
    return frame ? attribute(frame.get(), "f_code") : Ref();
}

// What the interpreter runs when the handler is called: of a function, of a bound method's
// function, of a class's __call__. Null for C functions.
Ref code_of_handler(PyObject* handler) {
    Ref code = attribute(handler, "__code__");
    if (!code) {
        const Ref function = attribute(handler, "__func__");
        if (function) code = attribute(function.get(), "__code__");
    }
    if (!code) {
        const Ref call = attribute(reinterpret_cast<PyObject*>(Py_TYPE(handler)), "__call__");
        if (call) code = attribute(call.get(), "__code__");
    }
    return code;
}

// signal.getsignal(number); null when the interpreter has no handler of Python's there.
Ref handler_of(PyObject* module, int number) {
    const Ref getsignal = attribute(module, "getsignal");
    const Ref argument = Ref::steal(api.PyLong_FromLong(number));
    Ref handler =
        getsignal && argument
            ? Ref::steal(api.PyObject_CallFunctionObjArgs(getsignal.get(), argument.get(), nullptr))
            : Ref();
    if (!handler) api.PyErr_Clear();
    if (handler && !api.PyCallable_Check(handler.get())) return {};
    return handler;
}

bool mentions_interrupt(PyObject* code) {
    const Ref names = attribute(code, "co_names");
    for (Py_ssize_t i = 0; names && i < api.PyTuple_Size(names.get()); ++i) {
        if (utf8_of(api.PyTuple_GetItem(names.get(), i)) == "KeyboardInterrupt") return true;
    }
    return false;
}

// The default handler is a C function, which leaves no frame in the traceback.
bool is_default_interrupt(PyObject* module, PyObject* exception, PyObject* innermost_code) {
    if (!python::is_exactly(exception, api.PyExc_KeyboardInterrupt)) return false;
    const Ref handler = handler_of(module, SIGINT);
    const Ref by_default = attribute(module, "default_int_handler");
    return handler && by_default && handler.get() == by_default.get() && innermost_code &&
           !mentions_interrupt(innermost_code);
}

}  // namespace

bool raised_by_signal_handler(PyObject* exception, PyObject* traceback) {
    // Built in, and imported by the interpreter when it starts (Modules/signalmodule.c).
    const Ref name = python::text_of("_signal");
    const Ref module = name ? Ref::steal(api.PyImport_GetModule(name.get())) : Ref();
    if (!module || !traceback) return false;
    std::vector<Ref> codes;
    for (Ref each = Ref::borrow(traceback); each && each.get() != api.None;
         each = attribute(each.get(), "tb_next")) {
        if (Ref code = code_of_frame_at(each.get())) codes.push_back(std::move(code));
    }
    if (codes.empty()) return false;
    if (is_default_interrupt(module.get(), exception, codes.back().get())) return true;
    // The first frame is the action's own.
    if (codes.size() < 2) return false;
    for (int number = 1; number < NSIG; ++number) {
        const Ref handler = handler_of(module.get(), number);
        const Ref code = handler ? code_of_handler(handler.get()) : Ref();
        for (size_t i = 1; code && i < codes.size(); ++i) {
            if (codes[i].get() == code.get()) return true;
        }
    }
    return false;
}

}  // namespace spyglass::agent::probes

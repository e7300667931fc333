// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of actions. Those that ask about the probe site say so when there is none.
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/probes/fire.h"
#include "agent/probes/names/table.h"
#include "agent/probes/names/type.h"
#include "agent/probes/print.h"
#include "agent/python/executions.h"
#include "agent/python/frame.h"
#include "agent/python/text.h"
#include "base/clock.h"

namespace spyglass::agent::probes {

using python::api;
using python::utf8_of;

namespace {

PyObject* new_none() {
    api.Py_IncRef(api.None);
    return api.None;
}

const python::Moment* site_of(const char* function) {
    if (here.moment) return here.moment;
    api.PyErr_SetString(
        api.PyExc_RuntimeError,
        (std::string(function) + "(): there is no probe site in BEGIN and END").c_str());
    return nullptr;
}

struct PrintOptions {
    std::string separator = " ";
    std::string end = "\n";
    bool to_errors = false;
};

// sep, end: str or None; file: sys.stderr of the target, or anything else; flush: ignored.
bool read_print_options(PyObject* const* values, PyObject* names, PrintOptions& options) {
    for (Py_ssize_t i = 0; names && i < api.PyTuple_Size(names); ++i) {
        const std::string name = utf8_of(api.PyTuple_GetItem(names, i));
        PyObject* const value = values[i];
        if (name == "sep" || name == "end") {
            if (value == api.None) continue;
            if (!python::is_instance(value, api.PyUnicode_Type)) {
                api.PyErr_SetString(api.PyExc_TypeError,
                                    (name + " must be None or a string").c_str());
                return false;
            }
            (name == "sep" ? options.separator : options.end) = utf8_of(value);
        } else if (name == "file") {
            options.to_errors = value == api.PySys_GetObject("stderr") ||
                                value == api.PySys_GetObject("__stderr__");
        } else if (name != "flush") {
            api.PyErr_SetString(
                api.PyExc_TypeError,
                ("print() got an unexpected keyword argument '" + name + "'").c_str());
            return false;
        }
    }
    return true;
}

PyObject* print(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    PrintOptions options;
    if (!read_print_options(arguments + count, keywords, options)) return nullptr;
    if (!current()) return new_none();  // tracing ended while this action ran
    const uint32_t generation = current()->generation;
    const uint32_t clause = here.clause;
    std::string text;
    for (Py_ssize_t i = 0; i < count; ++i) {
        if (i != 0) text += options.separator;
        if (!append_text(arguments[i], text)) return nullptr;
    }
    text += options.end;
    if (!is_current(generation)) return new_none();
    const auto kind = options.to_errors ? wire::RecordKind::print_err : wire::RecordKind::print_out;
    write_text(*current(), kind, static_cast<uint16_t>(clause), text);
    return new_none();
}

PyObject* exit_tracing(PyObject*, PyObject* const*, Py_ssize_t) {
    Program* const program = current();
    if (program && !program->exit_requested) {
        program->exit_requested = true;
        if (program->options.on_exit_requested) program->options.on_exit_requested();
    }
    return new_none();
}

PyObject* function_name(PyObject*, PyObject*) {
    const python::Moment* const moment = site_of("funcname");
    return moment ? Ref::borrow(python::names_of(*moment).name_object).release() : nullptr;
}

PyObject* qualified_name(PyObject*, PyObject*) {
    const python::Moment* const moment = site_of("qualname");
    return moment ? Ref::borrow(python::names_of(*moment).qpath_object).release() : nullptr;
}

PyObject* arguments(PyObject*, PyObject*) {
    const python::Moment* const moment = site_of("args");
    return moment ? python::arguments_of(*moment) : nullptr;
}

PyObject* returned_value(PyObject*, PyObject*) {
    const python::Moment* const moment = site_of("retval");
    if (!moment) return nullptr;
    if (moment->event != RegionEvent::ret && moment->event != RegionEvent::yield) {
        api.PyErr_SetString(api.PyExc_RuntimeError,
                            "retval(): only func:...:return and func:...:yield have a value");
        return nullptr;
    }
    return Ref::borrow(moment->value ? moment->value : api.None).release();
}

PyObject* exception(PyObject*, PyObject*) {
    const python::Moment* const moment = site_of("exc");
    if (!moment) return nullptr;
    if (moment->event != RegionEvent::unwind) {
        api.PyErr_SetString(api.PyExc_RuntimeError, "exc(): only func:...:unwind has an exception");
        return nullptr;
    }
    return Ref::borrow(moment->value ? moment->value : api.None).release();
}

PyObject* elapsed(PyObject*, PyObject*) {
    const uint64_t now = monotonic_ns();
    const python::Moment* const moment = site_of("elapsed");
    if (!moment) return nullptr;
    const auto began = python::execution_start_ns(*moment);
    if (began) return api.PyLong_FromUnsignedLongLong(now - *began);
    api.PyErr_SetNone(skip_firing_exception());
    return nullptr;
}

PyObject* stack(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    const python::Moment* const moment = site_of("stack");
    if (!moment) return nullptr;
    Py_ssize_t limit = -1;
    if (count > 0 && arguments[0] != api.None) {
        limit = api.PyLong_AsSsize_t(arguments[0]);
        if (limit == -1 && api.PyErr_Occurred()) return nullptr;
    }
    return python::stack_of(*moment, limit);
}

PyObject* caller(PyObject*, PyObject*) {
    const python::Moment* const moment = site_of("caller");
    return moment ? python::caller_of(*moment) : nullptr;
}

PyObject* thread_number(PyObject*, PyObject*) {
    return api.PyLong_FromLong(syscall(SYS_gettid));
}
// As the program named it, if the program knows it; without making the program know it, as
// threading.current_thread() would.
PyObject* thread_name(PyObject*, PyObject*) {
    const Ref module_name = python::text_of("threading");
    const Ref threading =
        Ref::steal(module_name ? api.PyImport_GetModule(module_name.get()) : nullptr);
    const Ref active = threading ? python::attribute(threading.get(), "_active") : Ref();
    if (active && python::is_exactly(active.get(), api.PyDict_Type)) {
        const Ref ident =
            Ref::steal(api.PyLong_FromUnsignedLongLong(pthread_self()));  // threading.get_ident()
        PyObject* const thread =
            ident ? api.PyDict_GetItemWithError(active.get(), ident.get()) : nullptr;
        Ref name = thread ? python::attribute(thread, "_name") : Ref();
        if (name && python::is_exactly(name.get(), api.PyUnicode_Type)) return name.release();
    }
    api.PyErr_Clear();
    char name[16] = "";  // TASK_COMM_LEN, prctl(2)
    prctl(PR_GET_NAME, name);
    return python::text_of(name).release();
}

PyObject* process_number(PyObject*, PyObject*) {
    return api.PyLong_FromLong(getpid());
}
PyObject* now(PyObject*, PyObject*) {
    return api.PyLong_FromUnsignedLongLong(monotonic_ns());
}

PyMethodDef functions[] = {
    {"print", as_method(print), method_fastcall | METH_KEYWORDS, nullptr},
    {"exit", as_method(exit_tracing), method_fastcall, nullptr},
    {"funcname", function_name, METH_NOARGS, nullptr},
    {"qualname", qualified_name, METH_NOARGS, nullptr},
    {"args", arguments, METH_NOARGS, nullptr},
    {"retval", returned_value, METH_NOARGS, nullptr},
    {"exc", exception, METH_NOARGS, nullptr},
    {"elapsed", elapsed, METH_NOARGS, nullptr},
    {"stack", as_method(stack), method_fastcall, nullptr},
    {"caller", caller, METH_NOARGS, nullptr},
    {"tid", thread_number, METH_NOARGS, nullptr},
    {"thread", thread_name, METH_NOARGS, nullptr},
    {"pid", process_number, METH_NOARGS, nullptr},
    {"now", now, METH_NOARGS, nullptr},
};

}  // namespace

bool add_functions(PyObject* table) {
    for (PyMethodDef& each : functions) {
        const Ref function = Ref::steal(api.PyCFunction_NewEx(&each, nullptr, nullptr));
        if (!function || api.PyDict_SetItemString(table, each.ml_name, function.get()) != 0)
            return false;
    }
    return true;
}

PyObject* skip_firing_exception() {
    static PyObject* const exception =
        api.PyErr_NewException("spyglass.SkipFiring", api.PyExc_BaseException, nullptr);
    return exception;
}

}  // namespace spyglass::agent::probes

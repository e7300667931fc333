// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/compile.h"

#include "agent/python/text.h"

namespace spyglass::agent::probes {

using python::api;
using python::attribute;
using python::Ref;
using python::text_of;
using python::utf8_of;

namespace {

constexpr long only_ast = 0x400;  // PyCF_ONLY_AST (cpython/compile.h)
constexpr Py_ssize_t suspending_flags = 0x20 | 0x80 | 0x200;
constexpr char function_name[] = "__spyglass_action__";

// What the compiler has to say about an action ("invalid escape sequence") would go to the
// program's standard error, or be an exception under -W error. While one of these lives it goes
// nowhere. Works on the list that Python/_warnings.c looks into: that of `warnings` once imported,
// else its own.
class QuietCompiler {
  public:
    QuietCompiler() {
        PyObject* const modules = api.PySys_GetObject("modules");
        PyObject* module = modules ? api.PyDict_GetItemString(modules, "warnings") : nullptr;
        if (!module && modules) module = api.PyDict_GetItemString(modules, "_warnings");
        filters_ = module ? attribute(module, "filters") : Ref();
        if (!filters_ || !python::is_exactly(filters_.get(), api.PyList_Type)) return;
        filter_ = Ref::steal(api.PyTuple_New(5));  // action, message, category, module, line
        if (!filter_) {
            api.PyErr_Clear();
            return;
        }
        PyObject* const fields[] = {text_of("ignore").release(), Ref::borrow(api.None).release(),
                                    Ref::borrow(api.PyExc_Warning).release(),
                                    Ref::borrow(api.None).release(), api.PyLong_FromLong(0)};
        for (Py_ssize_t i = 0; i < 5; ++i) api.PyTuple_SetItem(filter_.get(), i, fields[i]);
        if (api.PyList_Insert(filters_.get(), 0, filter_.get()) != 0) api.PyErr_Clear();
    }
    ~QuietCompiler() {
        if (!filter_) return;
        const python::ErrorIndicatorScope errors;
        for (Py_ssize_t i = 0; i < api.PyList_Size(filters_.get()); ++i) {
            if (api.PyList_GetItem(filters_.get(), i) != filter_.get()) continue;
            (void)api.PyList_SetSlice(filters_.get(), i, i + 1, nullptr);
            break;
        }
    }
    QuietCompiler(const QuietCompiler&) = delete;
    QuietCompiler& operator=(const QuietCompiler&) = delete;

  private:
    Ref filters_;
    Ref filter_;
};

Ref compile_source(PyObject* source, const char* mode, long flags) {
    PyObject* const builtins = api.PyEval_GetBuiltins();
    const Ref compile = Ref::borrow(api.PyDict_GetItemString(builtins, "compile"));
    if (!compile) return {};
    const Ref filename = text_of(action_filename);
    const Ref mode_text = text_of(mode);
    const Ref flags_number = Ref::steal(api.PyLong_FromLong(flags));
    const QuietCompiler quiet;
    return Ref::steal(api.PyObject_CallFunctionObjArgs(compile.get(), source, filename.get(),
                                                       mode_text.get(), flags_number.get(),
                                                       api.True, nullptr));
}

uint32_t number_attribute(PyObject* object, const char* name) {
    const Ref value = attribute(object, name);
    if (!value || !python::is_instance(value.get(), api.PyLong_Type)) return 0;
    const Py_ssize_t number = api.PyLong_AsSsize_t(value.get());
    return number > 0 ? static_cast<uint32_t>(number) : 0;
}

InstallFailure failure_of_python() {
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    api.PyErr_Fetch(&type, &value, &traceback);
    api.PyErr_NormalizeException(&type, &value, &traceback);
    InstallFailure failure;
    if (value) {
        failure.line = number_attribute(value, "lineno");
        failure.column = number_attribute(value, "offset");
        const Ref message = attribute(value, "msg");
        const Ref text = message ? Ref() : Ref::steal(api.PyObject_Str(value));
        failure.text = utf8_of(message ? message.get() : text.get());
    }
    if (failure.text.empty()) failure.text = "the target's Python could not compile it";
    api.PyErr_Clear();
    for (PyObject* each : {type, value, traceback}) {
        if (each) api.Py_DecRef(each);
    }
    return failure;
}

// A function around the statements: as a tree, so that positions and strings stay as written.
Ref function_template(const char* body) {
    const Ref source = text_of(std::string("def ") + function_name + "():\n " + body);
    return compile_source(source.get(), "exec", only_ast);
}

Ref first_of(PyObject* list) {
    return Ref::borrow(api.PyList_GetItem(list, 0));
}

std::string type_name(PyObject* object) {
    return utf8_of(attribute(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__").get());
}

// Whether every name that the tree mentions stands in the table: then no bare name of the site is
// meant. Names that the action assigns itself count as others: it is only asked whether the cheap
// globals are certain to do. Walks syntax trees by their `_fields` (Doc/library/ast.rst).
bool uses_table_alone(PyObject* node, PyObject* table) {
    if (python::is_exactly(node, api.PyList_Type)) {
        for (Py_ssize_t i = 0; i < api.PyList_Size(node); ++i) {
            if (!uses_table_alone(api.PyList_GetItem(node, i), table)) return false;
        }
        return true;
    }
    const Ref fields = attribute(node, "_fields");
    if (!fields) return true;  // a constant, an identifier
    const std::string type = type_name(node);
    if (type == "Import" || type == "ImportFrom" || type == "ClassDef") return false;
    if (type == "Name") {
        const Ref id = attribute(node, "id");
        return api.PyDict_Contains(table, id.get()) == 1;
    }
    for (Py_ssize_t i = 0; i < api.PyTuple_Size(fields.get()); ++i) {
        const Ref value = attribute(node, api.PyTuple_GetItem(fields.get(), i));
        if (value && !uses_table_alone(value.get(), table)) return false;
    }
    return true;
}

PyObject* globals_for(PyObject* body, const Tables& tables) {
    return uses_table_alone(body, tables.site) ? tables.plain : tables.site;
}

// Compiles the finished tree and takes the function out of a namespace of its own.
Ref define(PyObject* tree, PyObject* table) {
    const Ref code = compile_source(tree, "exec", 0);
    const Ref scratch = Ref::steal(api.PyDict_New());
    if (!code || !scratch) return {};
    const Ref done = Ref::steal(api.PyEval_EvalCode(code.get(), table, scratch.get()));
    if (!done) return {};
    return Ref::borrow(api.PyDict_GetItemString(scratch.get(), function_name));
}

bool suspends(PyObject* function) {
    const Ref code = attribute(function, "__code__");
    const Ref flags = code ? attribute(code.get(), "co_flags") : Ref();
    return flags && (api.PyLong_AsSsize_t(flags.get()) & suspending_flags) != 0;
}

bool code_mentions(PyObject* code, const char* name) {
    const Ref names = attribute(code, "co_names");
    for (Py_ssize_t i = 0; names && i < api.PyTuple_Size(names.get()); ++i) {
        if (utf8_of(api.PyTuple_GetItem(names.get(), i)) == name) return true;
    }
    const Ref constants = attribute(code, "co_consts");
    for (Py_ssize_t i = 0; constants && i < api.PyTuple_Size(constants.get()); ++i) {
        PyObject* const constant = api.PyTuple_GetItem(constants.get(), i);
        if (Py_TYPE(constant) == Py_TYPE(code) && code_mentions(constant, name)) return true;
    }
    return false;
}

}  // namespace

Compiled compile_action(const std::string& text, const Tables& tables) {
    Compiled compiled;
    const Ref source = text_of(text);
    const Ref statements = source ? compile_source(source.get(), "exec", only_ast) : Ref();
    const Ref body = statements ? attribute(statements.get(), "body") : Ref();
    const Ref tree = body ? function_template("pass") : Ref();
    if (!tree) {
        compiled.failure = failure_of_python();
        return compiled;
    }
    if (api.PyList_Size(body.get()) == 0) return compiled;
    const Ref definitions = attribute(tree.get(), "body");
    const Ref definition = first_of(definitions.get());
    if (api.PyObject_SetAttrString(definition.get(), "body", body.get()) == 0) {
        compiled.function = define(tree.get(), globals_for(body.get(), tables));
    }
    if (!compiled.function) {
        compiled.failure = failure_of_python();
    } else if (suspends(compiled.function.get())) {
        compiled.function = {};
        compiled.failure = InstallFailure{};
        compiled.failure->line = 1;
        compiled.failure->column = 1;
        compiled.failure->text =
            "an action runs to its end: yield and await are not possible in it";
    }
    return compiled;
}

Compiled compile_predicate(const std::string& text, const Tables& tables) {
    Compiled compiled;
    const Ref source = text_of(text);
    const Ref expression = source ? compile_source(source.get(), "eval", only_ast) : Ref();
    const Ref value = expression ? attribute(expression.get(), "body") : Ref();
    const Ref tree = value ? function_template("return 0") : Ref();
    if (tree) {
        const Ref definitions = attribute(tree.get(), "body");
        const Ref definition = first_of(definitions.get());
        const Ref statements = attribute(definition.get(), "body");
        const Ref statement = first_of(statements.get());
        if (api.PyObject_SetAttrString(statement.get(), "value", value.get()) == 0) {
            compiled.function = define(tree.get(), globals_for(value.get(), tables));
        }
    }
    if (!compiled.function) {
        compiled.failure = failure_of_python();
        compiled.failure->in_predicate = true;
    }
    return compiled;
}

bool mentions(PyObject* function, const char* name) {
    const Ref code = attribute(function, "__code__");
    return code && code_mentions(code.get(), name);
}

}  // namespace spyglass::agent::probes

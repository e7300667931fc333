# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# Runs in the target, in a namespace of its own, when somebody lists probe sites. It imports nothing
# and runs no code of the program: members are read from namespaces directly, never by attribute
# access on the program's objects. `modules` is a copy of sys.modules; the answer is `result`.


def _collect(modules, wants_lines):
    function_type = type(_collect)
    code_type = type(_collect.__code__)
    module_type = type(__builtins_module__)
    raw = object.__getattribute__
    type_namespace = type.__dict__["__dict__"].__get__
    suspending = 0x20 | 0x80 | 0x200
    found = {}

    def add(qpath, code):
        found[qpath] = found.get(qpath, False) or bool(code.co_flags & suspending)

    def enclosed(code, qualname, module):
        inner_prefix = qualname + (".<locals>." if code.co_flags & 1 else ".")
        for constant in code.co_consts:
            if type(constant) is code_type:
                name = inner_prefix + constant.co_name
                # A class body is no function, but what it encloses may be.
                if constant.co_flags & 1:
                    add(module + "." + name, constant)
                enclosed(constant, name, module)

    def function(value, module, seen):
        if id(value) in seen:
            return
        seen.add(id(value))
        if value.__globals__.get("__name__") == module:
            code = value.__code__
            qualname = getattr(code, "co_qualname", None) or value.__qualname__
            add(module + "." + qualname, code)
            enclosed(code, qualname, module)
        wrapped = value.__dict__.get("__wrapped__")
        if type(wrapped) is function_type:
            function(wrapped, module, seen)

    def member(value, module, seen):
        kind = type(value)
        if kind is function_type:
            function(value, module, seen)
        elif kind is classmethod or kind is staticmethod:
            member(raw(value, "__func__"), module, seen)
        elif kind is property:
            for part in (value.fget, value.fset, value.fdel):
                if part is not None:
                    member(part, module, seen)
        elif issubclass(kind, type) and id(value) not in seen:
            seen.add(id(value))
            namespace = type_namespace(value)
            if namespace.get("__module__") == module:
                for inner in list(namespace.values()):
                    member(inner, module, seen)
        else:
            # functools.lru_cache and other native wrappers keep what they wrap here.
            try:
                wrapped = raw(value, "__dict__").get("__wrapped__")
            except (AttributeError, TypeError):
                return
            if type(wrapped) is function_type:
                function(wrapped, module, seen)

    files = set()
    for module in list(modules.values()):
        if not issubclass(type(module), module_type):
            continue
        namespace = raw(module, "__dict__")
        name = namespace.get("__name__")
        if type(name) is not str:
            continue
        if wants_lines:
            path = namespace.get("__file__")
            if type(path) is str and path.endswith(".py"):
                files.add(path)
        else:
            seen = set()
            for value in list(namespace.values()):
                member(value, name, seen)
    return sorted(files) if wants_lines else sorted(found.items())


result = _collect(modules, wants_lines)

# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# Runs in the target, in a namespace of its own, when somebody lists probe sites. It imports nothing
# and runs no code of the program: namespaces are read through the slots of builtin types, never by
# attribute access on the program's objects (a proxy, a lazy module or a property would run).
# `modules` is a copy of sys.modules, `objects` is gc.get_objects(): functions that no namespace
# leads to, in tables, closures and frozen objects of either kind. The answer is `result`.


def _collect(modules, objects, wants_lines):
    function_type = type(_collect)
    code_type = type(_collect.__code__)
    slot_type = type(function_type.__dict__["__globals__"])
    getset_type = type(function_type.__dict__["__code__"])
    module_type = type(__builtins_module__)
    module_namespace = module_type.__dict__["__dict__"].__get__
    type_namespace = type.__dict__["__dict__"].__get__
    type_bases = type.__dict__["__mro__"].__get__
    wrapped_by = {
        classmethod: classmethod.__dict__["__func__"].__get__,
        staticmethod: staticmethod.__dict__["__func__"].__get__,
    }
    property_parts = [property.__dict__[name].__get__ for name in ("fget", "fset", "fdel")]
    # Where functools and its imitators keep what they wrap: lru_cache, partialmethod, cached_property, ...
    wrapping_names = ("__wrapped__", "func", "__func__", "fget", "_func")
    suspending = 0x20 | 0x80 | 0x200
    optimized = 0x1
    found = {}
    seen = set()
    namespace_slots = {}

    def add(qpath, code):
        found[qpath] = found.get(qpath, False) or bool(code.co_flags & suspending)

    def enclosed(code, qualname, module):
        inner_prefix = qualname + (".<locals>." if code.co_flags & optimized else ".")
        for constant in code.co_consts:
            if type(constant) is code_type:
                name = getattr(constant, "co_qualname", None) or inner_prefix + constant.co_name
                # A class body is no function, but what it encloses may be.
                if constant.co_flags & optimized:
                    add(module + "." + name, constant)
                enclosed(constant, name, module)

    def function(value):
        if id(value) in seen:
            return
        seen.add(id(value))
        module = dict.get(value.__globals__, "__name__")
        code = value.__code__
        # 3.11+ runs module bodies as functions too; those that run just now are no part of the list.
        if type(module) is str and code.co_flags & optimized:
            qualname = getattr(code, "co_qualname", None) or value.__qualname__
            add(module + "." + qualname, code)
            enclosed(code, qualname, module)
        for cell in value.__closure__ or ():
            try:
                content = cell.cell_contents
            except ValueError:  # still empty
                continue
            if type(content) is function_type:
                function(content)
        wrapped = dict.get(value.__dict__, "__wrapped__")
        if type(wrapped) is function_type:
            function(wrapped)

    def namespace_slot(kind):
        """What reads the instance dict of that type without running code of the program, or None."""
        if kind not in namespace_slots:
            slots = (type_namespace(base).get("__dict__") for base in type_bases(kind))
            slot = next((slot for slot in slots if slot is not None), None)
            plain = type(slot) is getset_type or type(slot) is slot_type
            namespace_slots[kind] = slot.__get__ if plain else None
        return namespace_slots[kind]

    def member(value):
        kind = type(value)
        if kind is function_type:
            return function(value)
        if issubclass(kind, type):
            return class_of_program(value)
        for wrapper, unwrap in wrapped_by.items():
            if issubclass(kind, wrapper):
                return member(unwrap(value))
        if issubclass(kind, property):
            for part in property_parts:
                if part(value) is not None:
                    member(part(value))
            return None
        slot = namespace_slot(kind)
        namespace = slot(value) if slot else None
        if type(namespace) is dict:
            for name in wrapping_names:
                if type(namespace.get(name)) is function_type:
                    function(namespace[name])
        return None

    def class_of_program(value):
        if id(value) not in seen:
            seen.add(id(value))
            for inner in list(type_namespace(value).values()):
                member(inner)

    files = set()
    for module in list(modules.values()):
        if not issubclass(type(module), module_type):
            continue
        namespace = module_namespace(module)
        if wants_lines:
            path = namespace.get("__file__")
            if type(path) is str and path.endswith(".py"):
                files.add(path)
        else:
            for value in list(namespace.values()):
                member(value)
    if not wants_lines:
        for value in objects:
            if type(value) is function_type:
                function(value)
    return sorted(files) if wants_lines else sorted(found.items())


result = _collect(modules, objects, wants_lines)

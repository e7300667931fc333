// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// `maps.NAME[key]` and `maps[key]`: values in shared memory, printed when the session ends. Equality
// of keys is the language's: an exact dict finds the entry (docs/decisions/0004). A map object that
// outlives its program is inert.
#include "agent/probes/names/table.h"
#include "agent/probes/names/type.h"
#include "agent/probes/print.h"
#include "agent/python/text.h"

namespace spyglass::agent::probes {

using python::api;
using python::text_of;
using python::utf8_of;

namespace {

constexpr size_t max_key_bytes = 4096;

struct MapObject {
    PyObject base;
    Map* map;  // owned by the program
    uint32_t generation;
};
struct MapsObject {
    PyObject base;
    PyObject* by_name;  // dict: name -> MapObject
    PyObject* unnamed;  // MapObject "@", or null
};
PyObject* map_type = nullptr;
PyObject* maps_type = nullptr;

Map* map_of(PyObject* self) {
    auto* const object = reinterpret_cast<MapObject*>(self);
    if (is_current(object->generation)) return object->map;
    api.PyErr_SetString(api.PyExc_RuntimeError, "tracing has ended");
    return nullptr;
}

// The printed form of a key, as it is now.
std::string key_text(PyObject* key, aggregate::KeyKind& kind) {
    if (python::is_exactly(key, api.PyUnicode_Type)) {
        kind = aggregate::KeyKind::text;
        std::string text = utf8_of(key);
        if (text.size() > max_key_bytes) text.resize(max_key_bytes);
        return text;
    }
    kind = python::is_exactly(key, api.PyLong_Type) ? aggregate::KeyKind::integer : aggregate::KeyKind::other;
    const Ref form = Ref::steal(api.PyObject_Repr(key));
    if (!form) {
        // Integers beyond the interpreter's digit limit, or a repr of the program that raises.
        api.PyErr_Clear();
        return "<" + utf8_of(python::attribute(reinterpret_cast<PyObject*>(Py_TYPE(key)), "__name__").get()) +
               " whose repr() failed>";
    }
    std::string text = utf8_of(form.get());
    if (text.size() > max_key_bytes) {
        text.resize(max_key_bytes);
        text += "...";
    }
    return text;
}

// Position of the key's slot; -1 with an exception set, -2 without: there is none.
Py_ssize_t find_slot(const Map& map, PyObject* key) {
    PyObject* const position = api.PyDict_GetItemWithError(map.index.get(), key);
    if (position) return api.PyLong_AsSsize_t(position);
    return api.PyErr_Occurred() ? -1 : -2;
}

Py_ssize_t add_slot(Program& program, Map& map, PyObject* key, aggregate::Kind kind) {
    aggregate::KeyKind key_kind;
    const std::string text = key_text(key, key_kind);
    if (!map.record) map.record = program.arena.add_map(map.name);
    aggregate::EntryRecord* const entry =
        map.record && program.map_keys < program.options.max_map_keys
            ? program.arena.add_entry(*map.record, kind, key_kind, text)
            : nullptr;
    if (!entry) {
        if (map.record) map.record->overflowed.fetch_add(1, std::memory_order_relaxed);
        return -2;
    }
    ++program.map_keys;
    const auto position = static_cast<Py_ssize_t>(map.slots.size());
    map.slots.push_back({entry, {}});
    const Ref number = Ref::steal(api.PyLong_FromSsize_t(position));
    if (!number || api.PyDict_SetItem(map.index.get(), key, number.get()) != 0) return -1;
    return position;
}

int remove_slot(Map& map, PyObject* key) {
    const Py_ssize_t position = find_slot(map, key);
    if (position == -2) api.PyErr_SetObject(api.PyExc_KeyError, key);
    if (position < 0 || api.PyDict_DelItem(map.index.get(), key) != 0) return -1;
    map.slots[static_cast<size_t>(position)].entry->removed.store(1, std::memory_order_relaxed);
    return 0;
}

int map_set(PyObject* self, PyObject* key, PyObject* value) {
    Map* const map = map_of(self);
    if (!map) return -1;
    if (!value) return remove_slot(*map, key);
    Program& program = *current();
    Aggregation aggregation{aggregate::Kind::value, value};
    if (!as_aggregation(value, aggregation) && !python::is_instance(value, api.PyLong_Type) &&
        !python::is_instance(value, api.PyFloat_Type)) {
        const std::string type = utf8_of(python::attribute(reinterpret_cast<PyObject*>(Py_TYPE(value)), "__name__").get());
        api.PyErr_SetString(api.PyExc_TypeError, ("unsupported value type: " + type +
                                                  ", use an aggregation function such as agg.count() instead")
                                                     .c_str());
        return -1;
    }
    Py_ssize_t position = find_slot(*map, key);
    if (position == -1) return -1;
    if (position == -2) {
        const uint32_t generation = program.generation;
        position = add_slot(program, *map, key, aggregation.kind);  // may run repr() of the program
        if (!is_current(generation)) return 0;
        if (position < 0) return position == -2 ? 0 : -1;
    }
    return fold_into_slot(program, map->slots[static_cast<size_t>(position)], aggregation) ? 0 : -1;
}

PyObject* map_get(PyObject* self, PyObject* key) {
    Map* const map = map_of(self);
    if (!map) return nullptr;
    const Py_ssize_t position = find_slot(*map, key);
    if (position >= 0) return slot_value(map->slots[static_cast<size_t>(position)]);
    if (position == -2) api.PyErr_SetObject(api.PyExc_KeyError, key);
    return nullptr;
}

Py_ssize_t map_length(PyObject* self) {
    Map* const map = map_of(self);
    return map ? api.PyDict_Size(map->index.get()) : -1;
}

int map_contains(PyObject* self, PyObject* key) {
    Map* const map = map_of(self);
    return map ? api.PyDict_Contains(map->index.get(), key) : -1;
}

PyObject* map_iterate(PyObject* self) {
    Map* const map = map_of(self);
    return map ? api.PyObject_GetIter(map->index.get()) : nullptr;
}

PyObject* map_get_or(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
    Map* const map = map_of(self);
    if (!map) return nullptr;
    if (count < 1 || count > 2) {
        api.PyErr_SetString(api.PyExc_TypeError, "get(key, default=None)");
        return nullptr;
    }
    const Py_ssize_t position = find_slot(*map, arguments[0]);
    if (position >= 0) return slot_value(map->slots[static_cast<size_t>(position)]);
    if (position == -1) return nullptr;
    PyObject* const fallback = count == 2 ? arguments[1] : api.None;
    api.Py_IncRef(fallback);
    return fallback;
}

PyObject* pairs_of(PyObject* self, bool keys, bool values) {
    Map* const map = map_of(self);
    if (!map) return nullptr;
    Ref list = Ref::steal(api.PyList_New(0));
    PyObject *key = nullptr, *number = nullptr;
    Py_ssize_t position = 0;
    while (list && api.PyDict_Next(map->index.get(), &position, &key, &number)) {
        Ref value = values ? Ref::steal(slot_value(map->slots[static_cast<size_t>(api.PyLong_AsSsize_t(number))])) : Ref();
        Ref item = Ref::borrow(keys ? key : value.get());
        if (keys && values) {
            item = Ref::steal(api.PyTuple_New(2));
            if (!item || !value) return nullptr;
            api.Py_IncRef(key);
            api.PyTuple_SetItem(item.get(), 0, key);
            api.PyTuple_SetItem(item.get(), 1, value.release());
        }
        if (!item || api.PyList_Append(list.get(), item.get()) != 0) return nullptr;
    }
    return list.release();
}

PyObject* map_keys(PyObject* self, PyObject*) { return pairs_of(self, true, false); }
PyObject* map_values(PyObject* self, PyObject*) { return pairs_of(self, false, true); }
PyObject* map_items(PyObject* self, PyObject*) { return pairs_of(self, true, true); }

PyMethodDef map_methods[] = {
    {"get", as_method(map_get_or), method_fastcall, nullptr},
    {"keys", map_keys, METH_NOARGS, nullptr},
    {"values", map_values, METH_NOARGS, nullptr},
    {"items", map_items, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot map_slots[] = {
    {Py_mp_subscript, as_slot(map_get)},   {Py_mp_ass_subscript, as_slot(map_set)},
    {Py_mp_length, as_slot(map_length)},   {Py_sq_contains, as_slot(map_contains)},
    {Py_tp_iter, as_slot(map_iterate)},    {Py_tp_methods, map_methods},
    {Py_tp_dealloc, as_slot(free_instance)}, {0, nullptr},
};
PyType_Spec map_spec = {"spyglass.map", sizeof(MapObject), 0, Py_TPFLAGS_DEFAULT, map_slots};

PyObject* new_map(const std::string& name) {
    Program* const program = current();
    if (!program) {
        api.PyErr_SetString(api.PyExc_RuntimeError, "tracing has ended");
        return nullptr;
    }
    auto* const object = instance_of<MapObject>(type_from(map_type, map_spec));
    if (!object) return nullptr;
    auto map = std::make_unique<Map>();
    map->name = name;
    map->index = Ref::steal(api.PyDict_New());
    object->map = map.get();
    object->generation = program->generation;
    program->maps.push_back(std::move(map));
    return reinterpret_cast<PyObject*>(object);
}

PyObject* maps_get(PyObject* self, PyObject* name) {
    auto* const maps = reinterpret_cast<MapsObject*>(self);
    PyObject* map = api.PyDict_GetItemWithError(maps->by_name, name);
    if (map) {
        api.Py_IncRef(map);
        return map;
    }
    const std::string text = utf8_of(name);
    if (text.compare(0, 2, "__") == 0) return api.PyObject_GenericGetAttr(self, name);
    map = new_map(text);
    if (map && api.PyDict_SetItem(maps->by_name, name, map) != 0) return nullptr;
    return map;
}

int maps_set(PyObject*, PyObject* name, PyObject*) {
    const std::string text = utf8_of(name);
    api.PyErr_SetString(api.PyExc_AttributeError, ("cannot set attribute '" + text + "' on maps, use maps." + text +
                                                   "[...] = ... or vars." + text + " instead")
                                                      .c_str());
    return -1;
}

PyObject* unnamed_map(PyObject* self) {
    auto* const maps = reinterpret_cast<MapsObject*>(self);
    if (!maps->unnamed) maps->unnamed = new_map("@");
    return maps->unnamed;
}

PyObject* maps_subscript(PyObject* self, PyObject* key) {
    PyObject* const map = unnamed_map(self);
    return map ? map_get(map, key) : nullptr;
}

int maps_assign(PyObject* self, PyObject* key, PyObject* value) {
    PyObject* const map = unnamed_map(self);
    return map ? map_set(map, key, value) : -1;
}

int maps_contains(PyObject* self, PyObject* key) {
    PyObject* const map = unnamed_map(self);
    return map ? map_contains(map, key) : -1;
}

void maps_dealloc(PyObject* self) {
    auto* const maps = reinterpret_cast<MapsObject*>(self);
    if (maps->by_name) api.Py_DecRef(maps->by_name);
    if (maps->unnamed) api.Py_DecRef(maps->unnamed);
    free_instance(self);
}

PyType_Slot maps_slots[] = {
    {Py_tp_getattro, as_slot(maps_get)},          {Py_tp_setattro, as_slot(maps_set)},
    {Py_mp_subscript, as_slot(maps_subscript)},   {Py_mp_ass_subscript, as_slot(maps_assign)},
    {Py_sq_contains, as_slot(maps_contains)},     {Py_tp_dealloc, as_slot(maps_dealloc)},
    {0, nullptr},
};
PyType_Spec maps_spec = {"spyglass.maps", sizeof(MapsObject), 0, Py_TPFLAGS_DEFAULT, maps_slots};

}  // namespace

PyObject* make_maps() {
    auto* const maps = instance_of<MapsObject>(type_from(maps_type, maps_spec));
    if (!maps) return nullptr;
    maps->by_name = api.PyDict_New();
    return reinterpret_cast<PyObject*>(maps);
}

}  // namespace spyglass::agent::probes

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// `maps.NAME[key]` and `maps[key]`: values in shared memory, printed when the session ends.
// Equality of keys is the language's: an exact dict finds the entry (docs/decisions/0004). A map
// object that outlives its program is inert.
#include "agent/probes/names/table.h"
#include "agent/probes/names/type.h"
#include "agent/probes/print.h"
#include "agent/python/text.h"

namespace spyglass::agent::probes {

using python::api;
using python::utf8_of;

namespace {

constexpr size_t max_key_bytes = 1 << 20;
constexpr Py_ssize_t failed = -1;  // an exception is set
constexpr Py_ssize_t absent = -2;

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

// At most max_key_bytes, and no half character at the end.
std::string bounded_key(std::string text) {
    if (text.size() <= max_key_bytes) return text;
    size_t bytes = max_key_bytes;
    while (bytes != 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;
    text.resize(bytes);
    return text + "...";
}

// The printed form of a key, as it is now. May run repr() of the program.
std::string key_text(PyObject* key, aggregate::KeyKind& kind) {
    if (python::is_exactly(key, api.PyUnicode_Type)) {
        kind = aggregate::KeyKind::text;
        return bounded_key(utf8_of(key));
    }
    kind = python::is_exactly(key, api.PyLong_Type) ? aggregate::KeyKind::integer
                                                    : aggregate::KeyKind::other;
    const Ref form = Ref::steal(api.PyObject_Repr(key));
    if (form) return bounded_key(utf8_of(form.get()));
    // Integers beyond the interpreter's digit limit, or a repr of the program that raises.
    api.PyErr_Clear();
    return "<" +
           utf8_of(python::attribute(reinterpret_cast<PyObject*>(Py_TYPE(key)), "__name__").get()) +
           " whose repr() failed>";
}

void raise_key_error(PyObject* key) {
    // In a tuple of its own, or a key that is a tuple would become several arguments.
    const Ref arguments = Ref::steal(api.PyTuple_New(1));
    if (!arguments) return;
    api.PyTuple_SetItem(arguments.get(), 0, Ref::borrow(key).release());
    api.PyErr_SetObject(api.PyExc_KeyError, arguments.get());
}

// Position of the key's slot, or `failed`, or `absent`. May run __hash__ and __eq__ of the program,
// whereupon the map may be gone.
Py_ssize_t find_slot(const Map& map, PyObject* key) {
    PyObject* const position = api.PyDict_GetItemWithError(map.index.get(), key);
    if (position) return api.PyLong_AsSsize_t(position);
    return api.PyErr_Occurred() ? failed : absent;
}

// `absent` when there is no room: counted in the map's "(other)".
Py_ssize_t add_slot(PyObject* self, PyObject* key, aggregate::Kind kind) {
    aggregate::KeyKind key_kind;
    const std::string text = key_text(key, key_kind);
    Map* map = map_of(self);
    if (!map) return failed;
    // Another thread may have been here while the key described itself.
    Py_ssize_t position = find_slot(*map, key);
    map = map_of(self);
    if (!map) return failed;
    if (position != absent) return position;
    Program& program = *current();
    if (!map->record) map->record = program.arena.add_map(map->name);
    if (!map->record) {
        api.PyErr_SetString(api.PyExc_MemoryError, "the memory for aggregates is full");
        return failed;
    }
    aggregate::EntryRecord* const entry =
        program.map_keys < program.options.max_map_keys
            ? program.arena.add_entry(*map->record, kind, key_kind, text)
            : nullptr;
    if (!entry) {
        map->record->overflowed.fetch_add(1, std::memory_order_relaxed);
        return absent;
    }
    ++program.map_keys;
    position = static_cast<Py_ssize_t>(map->slots.size());
    map->slots.push_back({entry, {}});
    const Ref number = Ref::steal(api.PyLong_FromSsize_t(position));
    if (!number || api.PyDict_SetItem(map->index.get(), key, number.get()) != 0) return failed;
    return position;
}

int remove_slot(PyObject* self, PyObject* key) {
    Map* map = map_of(self);
    if (!map) return -1;
    const Py_ssize_t position = find_slot(*map, key);
    if (position == absent) raise_key_error(key);
    if (position < 0 || !(map = map_of(self)) || api.PyDict_DelItem(map->index.get(), key) != 0)
        return -1;
    if (!(map = map_of(self))) return -1;
    map->slots[static_cast<size_t>(position)].entry->removed.store(1, std::memory_order_relaxed);
    return 0;
}

// What `map[key] = value` means; false with an exception set when it means nothing.
bool as_update(PyObject* value, Aggregation& aggregation) {
    if (as_aggregation(value, aggregation)) return check_value(aggregation);
    aggregation = {aggregate::Kind::value, value};
    if (python::is_instance(value, api.PyLong_Type) || python::is_instance(value, api.PyFloat_Type))
        return true;
    const std::string type =
        utf8_of(python::attribute(reinterpret_cast<PyObject*>(Py_TYPE(value)), "__name__").get());
    api.PyErr_SetString(api.PyExc_TypeError,
                        ("unsupported value type: " + type +
                         ", use an aggregation function such as agg.count() instead")
                            .c_str());
    return false;
}

int map_set(PyObject* self, PyObject* key, PyObject* value) {
    if (!value) return remove_slot(self, key);
    Aggregation aggregation{};
    Map* map = nullptr;
    if (!as_update(value, aggregation) || !(map = map_of(self))) return -1;
    Py_ssize_t position = find_slot(*map, key);
    if (position == absent) position = add_slot(self, key, aggregation.kind);
    if (position < 0) return position == absent ? 0 : -1;
    if (!(map = map_of(self))) return -1;
    return fold_into_slot(*current(), map->slots[static_cast<size_t>(position)], aggregation) ? 0
                                                                                              : -1;
}

// The value at the key; null with an exception set, or without when there is none.
PyObject* value_at(PyObject* self, PyObject* key) {
    const Map* map = map_of(self);
    if (!map) return nullptr;
    const Py_ssize_t position = find_slot(*map, key);
    if (position < 0 || !(map = map_of(self))) return nullptr;
    return slot_value(map->slots[static_cast<size_t>(position)]);
}

PyObject* map_get(PyObject* self, PyObject* key) {
    PyObject* const value = value_at(self, key);
    if (!value && !api.PyErr_Occurred()) raise_key_error(key);
    return value;
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
    if (count < 1 || count > 2) {
        api.PyErr_SetString(api.PyExc_TypeError, "get(key, default=None)");
        return nullptr;
    }
    PyObject* const value = value_at(self, arguments[0]);
    if (value || api.PyErr_Occurred()) return value;
    return Ref::borrow(count == 2 ? arguments[1] : api.None).release();
}

PyObject* pairs_of(PyObject* self, bool keys, bool values) {
    Map* const map = map_of(self);
    if (!map) return nullptr;
    Ref list = Ref::steal(api.PyList_New(0));
    PyObject *key = nullptr, *number = nullptr;
    Py_ssize_t position = 0;
    // An allocation may collect garbage, and that run code, and that let the session end.
    while (list && map_of(self) && api.PyDict_Next(map->index.get(), &position, &key, &number)) {
        Ref value = values ? Ref::steal(slot_value(
                                 map->slots[static_cast<size_t>(api.PyLong_AsSsize_t(number))]))
                           : Ref();
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
    return api.PyErr_Occurred() ? nullptr : list.release();
}

PyObject* map_keys(PyObject* self, PyObject*) {
    return pairs_of(self, true, false);
}
PyObject* map_values(PyObject* self, PyObject*) {
    return pairs_of(self, false, true);
}
PyObject* map_items(PyObject* self, PyObject*) {
    return pairs_of(self, true, true);
}

PyMethodDef map_methods[] = {
    {"get", as_method(map_get_or), method_fastcall, nullptr},
    {"keys", map_keys, METH_NOARGS, nullptr},
    {"values", map_values, METH_NOARGS, nullptr},
    {"items", map_items, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot map_slots[] = {
    {Py_mp_subscript, as_slot(map_get)},     {Py_mp_ass_subscript, as_slot(map_set)},
    {Py_mp_length, as_slot(map_length)},     {Py_sq_contains, as_slot(map_contains)},
    {Py_tp_iter, as_slot(map_iterate)},      {Py_tp_methods, map_methods},
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
    api.PyErr_SetString(api.PyExc_AttributeError,
                        ("cannot set attribute '" + text + "' on maps, use maps." + text +
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
    {Py_tp_getattro, as_slot(maps_get)},
    {Py_tp_setattro, as_slot(maps_set)},
    {Py_mp_subscript, as_slot(maps_subscript)},
    {Py_mp_ass_subscript, as_slot(maps_assign)},
    {Py_sq_contains, as_slot(maps_contains)},
    {Py_tp_dealloc, as_slot(maps_dealloc)},
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

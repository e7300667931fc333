// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A histogram that an action holds: its str() is the drawing that the end of a session prints.
#include "agent/probes/names/table.h"
#include "agent/probes/names/type.h"
#include "agent/python/text.h"
#include "aggregate/render.h"

namespace spyglass::agent::probes {

namespace {

struct HistogramObject {
    PyObject base;
    aggregate::Histogram* histogram;
};
PyObject* type = nullptr;

PyObject* drawing(PyObject* self) {
    std::string text = aggregate::render(*reinterpret_cast<HistogramObject*>(self)->histogram);
    text.pop_back();  // print adds the last newline
    return python::text_of(text).release();
}

void dealloc(PyObject* self) {
    delete reinterpret_cast<HistogramObject*>(self)->histogram;
    free_instance(self);
}

PyType_Slot slots[] = {{Py_tp_str, as_slot(drawing)},
                       {Py_tp_repr, as_slot(drawing)},
                       {Py_tp_dealloc, as_slot(dealloc)},
                       {0, nullptr}};
PyType_Spec spec = {"spyglass.histogram", sizeof(HistogramObject), 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace

PyObject* make_histogram(const aggregate::Histogram& histogram) {
    auto* const object = instance_of<HistogramObject>(type_from(type, spec));
    if (!object) return nullptr;
    object->histogram = new aggregate::Histogram(histogram);
    return reinterpret_cast<PyObject*>(object);
}

aggregate::Histogram* as_histogram(PyObject* object) {
    if (!type || !python::is_exactly(object, type)) return nullptr;
    return reinterpret_cast<HistogramObject*>(object)->histogram;
}

}  // namespace spyglass::agent::probes

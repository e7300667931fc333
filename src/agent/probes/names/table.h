// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The names that actions can use, as one dictionary: the globals of every action. One file per
// group of names beside this one. Types are made once per loaded agent and kept; objects are made
// per program. GIL held.
#pragma once

#include "agent/probes/state.h"

namespace spyglass::agent::probes {

/// Fills program.table, vars, maps_object. False with an exception set when memory is exhausted.
bool make_table(Program& program);

// One group each. New references; null with an exception set.
PyObject* make_site_names();          // site_names.cpp: bare names, as `__builtins__`
PyObject* make_context();             // context.cpp: ctx
PyObject* make_variables();           // variables.cpp: vars
PyObject* make_maps();                // maps.cpp: maps
PyObject* make_aggregations();        // aggregation.cpp: agg
bool add_functions(PyObject* table);  // functions.cpp: print, exit, funcname, …
PyObject* make_shortcut();            // shortcut.cpp: pmt

/// What `agg.count()` and the like return.
struct Aggregation {
    aggregate::Kind kind;
    PyObject* value;  // borrowed; null for count
};
/// False when `object` is not one.
bool as_aggregation(PyObject* object, Aggregation& aggregation);

/// Folds into what a variable held (null: nothing). New reference, or null with an exception set.
PyObject* fold_into_variable(PyObject* held, const Aggregation& aggregation);
/// Whether a map's slot can take the value: false with an exception set. May run repr() of the
/// program.
bool check_value(const Aggregation& aggregation);
/// Folds a value that was checked into a map's slot; runs no code of the program. False with an
/// exception set.
bool fold_into_slot(Program& program, Slot& slot, const Aggregation& aggregation);
/// The slot's value as Python sees it. New reference.
PyObject* slot_value(const Slot& slot);

/// A histogram as an object whose str() is its drawing. Takes a copy.
PyObject* make_histogram(const aggregate::Histogram& histogram);
/// The histogram inside such an object, owned by it; null for anything else.
aggregate::Histogram* as_histogram(PyObject* object);

}  // namespace spyglass::agent::probes

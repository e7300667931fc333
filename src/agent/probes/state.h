// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What one installed program is in the target: compiled clauses, the table of names, the maps. One
// at a time, reached through `current()`. An action of another thread may be suspended (it released
// the GIL) while the program is removed: whoever comes back from Python code must ask
// `is_current(generation)` before touching anything here. GIL held.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/probes/engine.h"
#include "agent/probes/matcher.h"
#include "agent/python/capi.h"
#include "agent/python/moment.h"
#include "aggregate/arena.h"
#include "aggregate/snapshot.h"

namespace spyglass::agent::probes {

using python::Ref;

struct Clause {
    const plan::Clause* source = nullptr;
    uint32_t index = 0;
    Ref predicate;  // function without arguments, or null
    Ref action;     // function without arguments, or null when there is nothing to do
    uint64_t hits = 0;
    uint64_t sites = 0;
    uint64_t errors = 0;
    uint64_t skipped = 0;
    std::string nearest_name;  // closest name seen, for a clause that never matches
};

/// An entry of a map, and what only Python can hold of it.
struct Slot {
    aggregate::EntryRecord* entry = nullptr;
    Ref big;  // the number, when it does not fit 64 bits
};

struct Map {
    std::string name;
    aggregate::MapRecord* record = nullptr;  // null until something is stored
    Ref index;                               // dict: key -> position in slots
    std::vector<Slot> slots;
};

struct Program {
    plan::Program plan;
    EngineOptions options;
    uint32_t generation = 0;
    std::vector<Clause> clauses;
    Matcher matcher;
    aggregate::Arena arena;
    std::vector<std::unique_ptr<Map>> maps;
    uint64_t map_keys = 0;
    Ref table;        // dict: globals of actions; its builtins resolve names at the site
    Ref plain_table;  // dict: the same with the real builtins, for actions that need no site's
                      // names
    Ref vars;
    Ref maps_object;
    bool armed = false;
    bool exit_requested = false;
    bool ended_by_begin = false;  // exit_requested before anything was armed
    uint64_t wait_left_ns = 0;    // print.cpp: how long prints may still wait for the reader
};

extern constinit Program* installed_program [[gnu::visibility("hidden")]];
inline Program* current() {
    return installed_program;
}
inline bool is_current(uint32_t generation) {
    return current() && current()->generation == generation;
}

/// What runs on this thread: one structure, because finding a thread-local costs a call.
struct Here {
    const python::Moment* moment = nullptr;  // null in BEGIN and END, and outside of actions
    uint32_t clause = ~0u;
};
/// Hidden, so that a function finds its address once.
extern thread_local constinit Here here [[gnu::visibility("hidden")]];

}  // namespace spyglass::agent::probes

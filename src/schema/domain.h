// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a domain (a source of events: Python, OpenMP, CUDA) is described: its events with their
// defaults, its punits (units of parallelism), and how its regions ("lexgions") are named. Names
// are those that users write in a trace configuration; they are compared without regard to case. A
// new domain is one file with such a table and one line in domains.cpp.
//
// Constant data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace spyglass::schema {

/// Set of a domain's events, by position in its table.
using EventSet = uint64_t;
inline constexpr unsigned max_events = 64;

struct EventSpec {
    std::string_view name;  // "pysysmon_py_start"
    bool on_by_default = false;
    std::string_view meaning;  // one line for `spyglass domains` and the guide
};

struct PunitSpec {
    std::string_view name;    // "thread", in "Python.thread"
    uint32_t last = 0;        // numbers run from 0; customary upper end
    bool may_exceed = false;  // larger numbers are allowed as well
};

enum class RegionNaming : uint8_t {
    by_name,     // qualified names: "Python:Solver.run", "Python:solver.py:Solver.run"
    by_address,  // code addresses: "0x401234"
};

enum class DomainId : uint8_t { python, openmp, cuda };

struct Domain {
    DomainId id;
    std::string_view name;                // "Python"
    std::string_view environment_suffix;  // "PYTHON", in PINSIGHT_TRACE_PYTHON
    RegionNaming naming;
    std::span<const EventSpec> events;
    std::span<const PunitSpec> punits;
};

/// In the order of DomainId.
std::span<const Domain> domains();
inline const Domain& domain(DomainId id) {
    return domains()[static_cast<size_t>(id)];
}

/// Null when there is none of that name.
const Domain* find_domain(std::string_view name);
std::optional<unsigned> find_event(const Domain& domain, std::string_view name);
std::optional<unsigned> find_punit(const Domain& domain, std::string_view name);

EventSet default_events(const Domain& domain);
constexpr EventSet event_bit(unsigned index) {
    return EventSet{1} << index;
}

/// ASCII letters alone: names of domains, events, punits and key words.
bool equal_ignoring_case(std::string_view left, std::string_view right);

extern const Domain python_domain;
extern const Domain openmp_domain;
extern const Domain cuda_domain;

/// Positions in the Python domain's table.
enum class PythonEvent : uint8_t { start, ret, c_start, c_return, import };

}  // namespace spyglass::schema

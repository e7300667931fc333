// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The running configuration: what the built-in defaults, the file and the environment have come to.
// Values remember where they were set, for `config check --explain` and `status`. Nothing is
// resolved here (resolver.h). Any thread; owned.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/action.h"
#include "config/number_set.h"
#include "config/region.h"
#include "schema/domain.h"

namespace spyglass::config {

/// Where a value comes from. `source` is a file's name or a variable's; empty: built in.
struct Origin {
    std::string source;
    uint32_t line = 0;  // 0: no lines there
    std::string text() const;
};

template <class T>
struct Setting {
    T value{};
    Origin origin;
};

/// Events that a section names, and what it makes of them.
struct EventChoices {
    schema::EventSet named = 0;
    schema::EventSet on = 0;               // subset of `named`
    std::map<unsigned, Origin> origins{};  // by event

    schema::EventSet over(schema::EventSet below) const { return (below & ~named) | on; }
    void choose(unsigned event, bool is_on, Origin origin);
    void choose_all_of(const EventChoices& other);
};

enum class WindowEnd : uint8_t { first, all };
inline constexpr int64_t unlimited = -1;

/// The keys of any section; which of them a kind of section takes is the parser's business.
struct Keys {
    std::optional<Setting<Mode>> mode;
    std::map<unsigned, Setting<NumberSet>> scopes;  // by punit of the section's domain
    std::array<EventChoices, domain_count> events;

    std::optional<Setting<uint64_t>> trace_starts_at;
    std::optional<Setting<int64_t>> max_num_traces;
    std::optional<Setting<uint64_t>> tracing_rate;
    std::optional<Setting<Action>> trace_mode_after;
    std::optional<Setting<double>> window_timeout;  // seconds
    std::optional<Setting<WindowEnd>> window_end_trigger;

    /// Keys that `later` has replace these.
    void merge(const Keys& later);
};

struct PunitConstraint {
    schema::DomainId domain;
    unsigned punit;
    NumberSet numbers;
    bool operator==(const PunitConstraint&) const = default;
    /// "Python.thread(0-1)"
    std::string text() const;
};

/// A section as it stands after all edits.
struct Section {
    Keys keys;
    std::vector<schema::DomainId> parents;
    std::vector<PunitConstraint> constraints;
    Origin origin;  // of its first header
};

struct PunitSection {
    PunitConstraint punits;
    Section section;
};

struct NamedSection {
    Region region;
    Section section;
};

struct Configuration {
    std::array<Section, domain_count> domain_defaults;
    std::vector<PunitSection> punits;  // in the order written: later ones win
    Section lexgion_default;
    std::array<std::optional<Section>, domain_count> domain_lexgion_defaults;
    std::vector<NamedSection> named;

    Mode mode(schema::DomainId domain) const;
};

}  // namespace spyglass::config

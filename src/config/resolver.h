// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The effective settings of one function, and of one thread. Done once per function and
// configuration, never per call. Any thread; the configuration must not change meanwhile.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "config/configuration.h"
#include "config/rate.h"

namespace spyglass::config {

/// One value with where it came from: which section, and from where there.
template <class T>
struct Resolved {
    T value{};
    Origin origin;
    std::string section;  // "[Lexgion(Python:f)]"; empty: built in
};

struct FunctionSettings {
    std::string section;  // that took the function; empty: none was written
    Origin section_origin;
    std::optional<size_t> named;  // its index among Configuration::named
    std::vector<PunitConstraint> constraints;
    Resolved<uint64_t> trace_starts_at;
    Resolved<int64_t> max_num_traces;
    Resolved<uint64_t> tracing_rate;
    Resolved<std::optional<Action>> trace_mode_after;
    Resolved<double> window_timeout;  // seconds; 0: none
    Resolved<WindowEnd> window_end_trigger;
    EventChoices events;  // over those of the thread

    RateLimit rate() const {
        return {trace_starts_at.value, max_num_traces.value, tracing_rate.value};
    }
};

FunctionSettings resolve(const Configuration& configuration, const FunctionName& function);

/// The number of the current thread in a punit; none: it has none there.
using PunitNumber = std::function<std::optional<uint32_t>(schema::DomainId domain, unsigned punit)>;

struct ThreadSettings {
    bool in_scope = true;
    EventChoices events;  // the domain's defaults with those of the punit sections
};
ThreadSettings resolve_thread(const Configuration& configuration, schema::DomainId domain,
                              const PunitNumber& number_of);

/// All of them hold.
bool hold(const std::vector<PunitConstraint>& constraints, const PunitNumber& number_of);

/// What is recorded of this function on this thread; nothing if either excludes the other.
schema::EventSet events_of(const FunctionSettings& function, const ThreadSettings& thread,
                           schema::DomainId domain, const PunitNumber& number_of);

}  // namespace spyglass::config

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/configuration.h"

namespace spyglass::config {

namespace {

template <class T>
void replace(std::optional<T>& standing, const std::optional<T>& later) {
    if (later) standing = later;
}

}  // namespace

std::string Origin::text() const {
    if (source.empty()) return "built-in default";
    return line == 0 ? source : source + ':' + std::to_string(line);
}

void EventChoices::choose(unsigned event, bool is_on, Origin origin) {
    const schema::EventSet bit = schema::event_bit(event);
    named |= bit;
    on = is_on ? on | bit : on & ~bit;
    origins[event] = std::move(origin);
}

void EventChoices::choose_all_of(const EventChoices& other) {
    on = other.over(on);
    named |= other.named;
    for (const auto& [event, origin] : other.origins) origins[event] = origin;
}

void Keys::merge(const Keys& later) {
    replace(mode, later.mode);
    for (const auto& [punit, numbers] : later.scopes) scopes[punit] = numbers;
    for (size_t i = 0; i < domain_count; ++i) events[i].choose_all_of(later.events[i]);
    replace(trace_starts_at, later.trace_starts_at);
    replace(max_num_traces, later.max_num_traces);
    replace(tracing_rate, later.tracing_rate);
    replace(trace_mode_after, later.trace_mode_after);
    replace(window_timeout, later.window_timeout);
    replace(window_end_trigger, later.window_end_trigger);
}

std::string PunitConstraint::text() const {
    const schema::Domain& of = schema::domain(domain);
    return std::string(of.name) + '.' + std::string(of.punits[punit].name) + '(' + numbers.text() +
           ')';
}

Mode Configuration::mode(schema::DomainId domain) const {
    const auto& set = domain_defaults[static_cast<size_t>(domain)].keys.mode;
    return set ? set->value : Mode::tracing;
}

}  // namespace spyglass::config

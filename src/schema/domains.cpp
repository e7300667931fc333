// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "schema/domain.h"

namespace spyglass::schema {

std::span<const Domain> domains() {
    static const Domain table[] = {python_domain, openmp_domain, cuda_domain};
    return table;
}

bool equal_ignoring_case(std::string_view left, std::string_view right) {
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    };
    if (left.size() != right.size()) return false;
    for (size_t i = 0; i < left.size(); ++i) {
        if (lower(left[i]) != lower(right[i])) return false;
    }
    return true;
}

namespace {

template <class Spec>
std::optional<unsigned> find(std::span<const Spec> table, std::string_view name) {
    for (unsigned i = 0; i < table.size(); ++i) {
        if (equal_ignoring_case(table[i].name, name)) return i;
    }
    return std::nullopt;
}

}  // namespace

const Domain* find_domain(std::string_view name) {
    const auto index = find(domains(), name);
    return index ? &domains()[*index] : nullptr;
}

std::optional<unsigned> find_event(const Domain& domain, std::string_view name) {
    return find(domain.events, name);
}

std::optional<unsigned> find_punit(const Domain& domain, std::string_view name) {
    return find(domain.punits, name);
}

EventSet default_events(const Domain& domain) {
    EventSet events = 0;
    for (unsigned i = 0; i < domain.events.size(); ++i) {
        if (domain.events[i].on_by_default) events |= event_bit(i);
    }
    return events;
}

}  // namespace spyglass::schema

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/resolver.h"

#include <algorithm>

namespace spyglass::config {

namespace {

struct Level {
    const Section* section;
    std::string name;
};

std::string heading(const std::string& target) {
    return "[" + target + "]";
}

// The most specific named section; the later of two that are equally so.
std::optional<size_t> named_section(const Configuration& configuration,
                                    const FunctionName& function) {
    std::optional<size_t> best;
    uint32_t best_rank = 1;
    for (size_t i = 0; i < configuration.named.size(); ++i) {
        const uint32_t rank = how_specifically(configuration.named[i].region, function);
        if (rank < best_rank) continue;
        best = i;
        best_rank = rank;
    }
    return best;
}

template <class T>
void take(Resolved<T>& into, const std::optional<Setting<T>>& key, const Level& level) {
    if (key) into = {key->value, key->origin, level.name};
}

void take(FunctionSettings& into, const Level& level, schema::DomainId domain) {
    const Keys& keys = level.section->keys;
    take(into.trace_starts_at, keys.trace_starts_at, level);
    take(into.max_num_traces, keys.max_num_traces, level);
    take(into.tracing_rate, keys.tracing_rate, level);
    take(into.window_timeout, keys.window_timeout, level);
    take(into.window_end_trigger, keys.window_end_trigger, level);
    if (keys.trace_mode_after) {
        into.trace_mode_after = {keys.trace_mode_after->value, keys.trace_mode_after->origin,
                                 level.name};
    }
    // A parent stands for all events of its domain: what levels below chose is forgotten.
    const auto& parents = level.section->parents;
    if (std::find(parents.begin(), parents.end(), domain) != parents.end()) into.events = {};
    into.events.choose_all_of(keys.events[static_cast<size_t>(domain)]);
}

}  // namespace

FunctionSettings resolve(const Configuration& configuration, const FunctionName& function) {
    FunctionSettings settings;
    settings.max_num_traces.value = unlimited;
    settings.tracing_rate.value = 1;

    // Lowest first: what a level sets replaces what those below set.
    std::vector<Level> levels{{&configuration.lexgion_default, heading("Lexgion.default")}};
    const schema::Domain& domain = schema::domain(function.domain);
    const auto& of_domain =
        configuration.domain_lexgion_defaults[static_cast<size_t>(function.domain)];
    if (of_domain)
        levels.push_back(
            {&*of_domain, heading("Lexgion(" + std::string(domain.name) + ").default")});
    settings.named = named_section(configuration, function);
    if (settings.named) {
        const NamedSection& named = configuration.named[*settings.named];
        levels.push_back({&named.section, heading("Lexgion(" + named.region.text() + ")")});
    }
    for (const Level& level : levels) take(settings, level, function.domain);

    const Level& matched = levels.back();
    if (!matched.section->origin.source.empty()) settings.section = matched.name;
    settings.section_origin = matched.section->origin;
    settings.constraints = matched.section->constraints;
    return settings;
}

bool hold(const std::vector<PunitConstraint>& constraints, const PunitNumber& number_of) {
    return std::all_of(constraints.begin(), constraints.end(), [&](const PunitConstraint& each) {
        const auto number = number_of(each.domain, each.punit);
        return number && each.numbers.contains(*number);
    });
}

ThreadSettings resolve_thread(const Configuration& configuration, schema::DomainId domain,
                              const PunitNumber& number_of) {
    const auto index = static_cast<size_t>(domain);
    const Keys& defaults = configuration.domain_defaults[index].keys;
    ThreadSettings settings;
    settings.events = defaults.events[index];

    const auto punit_count = static_cast<unsigned>(schema::domain(domain).punits.size());
    std::vector<bool> has_section(punit_count);
    std::vector<bool> covered(punit_count);
    for (const PunitSection& each : configuration.punits) {
        const PunitConstraint& punits = each.punits;
        if (punits.domain != domain) continue;
        has_section[punits.punit] = true;
        if (!hold({punits}, number_of) || !hold(each.section.constraints, number_of)) continue;
        covered[punits.punit] = true;
        settings.events.choose_all_of(each.section.keys.events[index]);
    }
    for (unsigned punit = 0; punit < punit_count; ++punit) {
        const auto scope = defaults.scopes.find(punit);
        if (!has_section[punit] && scope == defaults.scopes.end()) continue;
        const auto number = number_of(domain, punit);
        const bool listed =
            scope != defaults.scopes.end() && number && scope->second.value.contains(*number);
        settings.in_scope = settings.in_scope && (covered[punit] || listed);
    }
    return settings;
}

schema::EventSet events_of(const FunctionSettings& function, const ThreadSettings& thread,
                           schema::DomainId domain, const PunitNumber& number_of) {
    if (!thread.in_scope || !hold(function.constraints, number_of)) return 0;
    const schema::EventSet built_in = schema::default_events(schema::domain(domain));
    return function.events.over(thread.events.over(built_in));
}

}  // namespace spyglass::config

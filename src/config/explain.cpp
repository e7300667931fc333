// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/explain.h"

#include <algorithm>
#include <cstdio>

#include "config/resolver.h"
#include "config/words.h"

namespace spyglass::config {

namespace {

std::string number_text(double number) {
    char text[32];
    snprintf(text, sizeof text, "%g", number);
    return text;
}

// "a.b.c" may be c of module a.b, b.c of module a, or a.b.c of any module: the reading that a
// section names most specifically.
FunctionName most_specific_reading(const Configuration& configuration, const Region& region) {
    FunctionName best;
    best.domain = region.domain.value_or(schema::DomainId::openmp);
    best.file = region.file;
    best.line = region.line;
    best.address = region.address;
    best.qualified = region.name;
    uint32_t best_rank = 0;
    const auto rank_of = [&](const FunctionName& function) {
        uint32_t rank = 0;
        for (const NamedSection& each : configuration.named)
            rank = std::max(rank, how_specifically(each.region, function));
        return rank;
    };
    best_rank = rank_of(best);
    const std::string_view whole = region.name;
    for (size_t dot = whole.find('.'); dot != whole.npos; dot = whole.find('.', dot + 1)) {
        FunctionName reading = best;
        reading.module = whole.substr(0, dot);
        reading.qualified = whole.substr(dot + 1);
        const uint32_t rank = rank_of(reading);
        if (rank <= best_rank) continue;
        best = reading;
        best_rank = rank;
    }
    return best;
}

std::string padded(std::string text, size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

class Explanation {
  public:
    void line(std::string_view key, const std::string& value, const Origin& origin,
              const std::string& section) {
        std::string from = origin.text();
        if (!section.empty() && !origin.source.empty()) from += "  " + section;
        text_ += "  " + padded(std::string(key), 20) + ' ' + padded(value, 24) + ' ' + from + '\n';
    }
    template <class T>
    void line(std::string_view key, const std::string& value, const Resolved<T>& resolved) {
        line(key, value, resolved.origin, resolved.section);
    }
    void add(const std::string& text) { text_ += text; }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

std::string list(const std::vector<PunitConstraint>& constraints) {
    std::string text;
    for (const PunitConstraint& each : constraints) {
        if (!text.empty()) text += ", ";
        text += each.text();
    }
    return text;
}

}  // namespace

Result<std::string> explain(const Configuration& configuration, const std::string& name) {
    auto parsed = parse_region(name);
    // A name without a domain is a Python function's.
    if (std::holds_alternative<RegionMistake>(parsed)) {
        auto python = parse_region("Python:" + name);
        if (std::holds_alternative<Region>(python)) parsed = std::move(python);
    }
    if (const auto* const mistake = std::get_if<RegionMistake>(&parsed))
        return Error(mistake->message).remedy(mistake->hint);
    const Region& region = std::get<Region>(parsed);
    const FunctionName function = most_specific_reading(configuration, region);
    const schema::Domain& domain = schema::domain(function.domain);
    const auto index = static_cast<size_t>(function.domain);
    const FunctionSettings settings = resolve(configuration, function);

    Explanation text;
    text.add(region.text() + '\n');
    const auto& mode = configuration.domain_defaults[index].keys.mode;
    text.line("trace_mode", std::string(name_of(configuration.mode(function.domain))),
              mode ? mode->origin : Origin{}, "[" + std::string(domain.name) + ".default]");
    text.line("section", settings.section.empty() ? "none" : settings.section,
              settings.section_origin, "");
    if (!settings.constraints.empty())
        text.add("  only on              " + list(settings.constraints) + '\n');
    text.line("trace_starts_at", std::to_string(settings.trace_starts_at.value),
              settings.trace_starts_at);
    text.line("max_num_traces", std::to_string(settings.max_num_traces.value),
              settings.max_num_traces);
    text.line("tracing_rate", std::to_string(settings.tracing_rate.value), settings.tracing_rate);
    const auto& action = settings.trace_mode_after;
    text.line("trace_mode_after", action.value ? text_of(*action.value) : "none", action);
    text.line(
        "window_timeout",
        settings.window_timeout.value > 0 ? number_text(settings.window_timeout.value) : "none",
        settings.window_timeout);
    text.line("window_end_trigger",
              settings.window_end_trigger.value == WindowEnd::all ? "all" : "first",
              settings.window_end_trigger);

    const EventChoices& defaults = configuration.domain_defaults[index].keys.events[index];
    const schema::EventSet built_in = schema::default_events(domain);
    const schema::EventSet on = settings.events.over(defaults.over(built_in));
    for (unsigned event = 0; event < domain.events.size(); ++event) {
        Origin origin;
        for (const EventChoices* level : {&defaults, &settings.events}) {
            if (const auto at = level->origins.find(event); at != level->origins.end())
                origin = at->second;
        }
        text.line(domain.events[event].name, on & schema::event_bit(event) ? "on" : "off", origin,
                  "");
    }
    for (const auto& [punit, numbers] : configuration.domain_defaults[index].keys.scopes) {
        text.line(std::string(domain.name) + '.' + std::string(domain.punits[punit].name),
                  '(' + numbers.value.text() + ')', numbers.origin, "");
    }
    for (const PunitSection& each : configuration.punits) {
        if (each.punits.domain != function.domain) continue;
        text.add("  on " + each.punits.text() + " events are over those of [" +
                 std::string(domain.name) + ".default]: " + each.section.origin.text() + '\n');
    }
    return text.take();
}

}  // namespace spyglass::config

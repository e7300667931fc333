// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/check.h"

#include "config/resolver.h"

namespace spyglass::config {

namespace {

// A function that this edit is about; sections of patterns stand for a function of that very name.
std::vector<FunctionName> examples(const Edit& edit) {
    std::vector<FunctionName> functions;
    if (const auto* const any = std::get_if<LexgionDefaultTarget>(&edit.target)) {
        FunctionName function;
        function.domain = any->domain.value_or(schema::DomainId::python);
        functions.push_back(function);
    } else if (const auto* const regions = std::get_if<RegionsTarget>(&edit.target)) {
        for (const Region& each : regions->regions) {
            FunctionName function;
            function.domain = each.domain.value_or(schema::DomainId::openmp);
            function.qualified = each.name;
            function.file = each.file;
            function.line = each.line;
            function.address = each.address;
            functions.push_back(function);
        }
    }
    return functions;
}

Diagnostic warning(const Edit& edit, std::string message, std::string hint) {
    return {Severity::warning, edit.location, edit.length, std::move(message), std::move(hint)};
}

void check_action(const Edit& edit, const Configuration& configuration, Diagnostics& found) {
    if (!edit.keys.trace_mode_after) return;
    for (const FunctionName& function : examples(edit)) {
        const FunctionSettings settings = resolve(configuration, function);
        if (settings.max_num_traces.value > 0 || settings.window_timeout.value > 0) continue;
        found.push_back(warning(edit,
                                "trace_mode_after never happens: max_num_traces is " +
                                    std::to_string(settings.max_num_traces.value) +
                                    " and there is no window_timeout",
                                "set max_num_traces to how many executions to trace first"));
        return;
    }
}

// Events of a domain that these functions are not of.
void check_events(const Edit& edit, Diagnostics& found) {
    const auto functions = examples(edit);
    const auto* const any = std::get_if<LexgionDefaultTarget>(&edit.target);
    if (functions.empty() || (any && !any->domain)) return;
    for (const schema::Domain& domain : schema::domains()) {
        const EventChoices& events = edit.keys.events[static_cast<size_t>(domain.id)];
        if (events.named == 0) continue;
        bool fits = false;
        for (const FunctionName& each : functions)
            fits = fits || each.domain == domain.id ||
                   schema::domain(each.domain).naming == schema::RegionNaming::by_address;
        if (fits) continue;
        const std::string_view name = domain.events[events.origins.begin()->first].name;
        found.push_back(warning(edit,
                                std::string(name) + " is an event of " + std::string(domain.name) +
                                    ": it has no effect in this section",
                                ""));
    }
}

}  // namespace

Diagnostics check(const std::vector<Edit>& edits, const Configuration& configuration) {
    Diagnostics found;
    for (const Edit& edit : edits) {
        check_action(edit, configuration, found);
        check_events(edit, found);
    }
    return found;
}

}  // namespace spyglass::config

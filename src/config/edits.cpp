// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/edits.h"

#include <algorithm>

namespace spyglass::config {

namespace {

void set(Section& section, const Edit& edit) {
    if (section.origin.source.empty()) section.origin = edit.origin;
    if (!edit.parents.empty()) section.parents = edit.parents;
    if (!edit.constraints.empty()) section.constraints = edit.constraints;
    section.keys.merge(edit.keys);
}

class Application {
  public:
    Application(Configuration& configuration, Applied& applied)
        : configuration_(configuration), applied_(applied) {}

    void operator()(const Edit& edit) {
        std::visit([&](const auto& target) { change(edit, target); }, edit.target);
    }

  private:
    void change(const Edit& edit, const DomainTarget& target) {
        const auto index = static_cast<size_t>(target.domain);
        Section& section = configuration_.domain_defaults[index];
        if (edit.verb == Verb::reset) section = Section{};
        set(section, edit);
        if (edit.keys.mode || edit.verb == Verb::reset)
            applied_.modes[index] = configuration_.mode(target.domain);
    }

    void change(const Edit& edit, const LexgionDefaultTarget& target) {
        if (!target.domain) {
            if (edit.verb == Verb::reset) configuration_.lexgion_default = Section{};
            set(configuration_.lexgion_default, edit);
            return;
        }
        auto& section = configuration_.domain_lexgion_defaults[static_cast<size_t>(*target.domain)];
        if (edit.verb == Verb::reset) {
            section.reset();
            // What stands again is the level below; only keys that follow make it a section.
            if (is_empty(edit)) return;
        }
        if (!section) section.emplace();
        set(*section, edit);
    }

    void change(const Edit& edit, const PunitConstraint& target) {
        auto& all = configuration_.punits;
        if (edit.verb == Verb::remove) {
            bool found = false;
            for (PunitSection& each : all) {
                if (each.punits.domain != target.domain || each.punits.punit != target.punit)
                    continue;
                found = found || each.punits.numbers.intersects(target.numbers);
                each.punits.numbers.remove(target.numbers);
            }
            std::erase_if(all,
                          [](const PunitSection& each) { return each.punits.numbers.empty(); });
            if (!found) warn(edit, target.text());
            return;
        }
        auto at = std::find_if(all.begin(), all.end(),
                               [&](const PunitSection& each) { return each.punits == target; });
        if (at == all.end()) at = all.insert(all.end(), {target, {}});
        set(at->section, edit);
    }

    void change(const Edit& edit, const RegionsTarget& target) {
        auto& all = configuration_.named;
        if (edit.verb == Verb::remove && target.all) {
            if (all.empty()) warn(edit, "named section");
            all.clear();
            return;
        }
        for (const Region& region : target.regions) {
            auto at = std::find_if(all.begin(), all.end(),
                                   [&](const NamedSection& each) { return each.region == region; });
            if (edit.verb == Verb::remove) {
                if (at == all.end()) {
                    warn(edit, "Lexgion(" + region.text() + ")");
                } else {
                    all.erase(at);
                }
                continue;
            }
            if (at == all.end()) at = all.insert(all.end(), {region, {}});
            set(at->section, edit);
        }
    }

    static bool is_empty(const Edit& edit) {
        const Keys& keys = edit.keys;
        return edit.parents.empty() && edit.constraints.empty() && !keys.trace_starts_at &&
               !keys.max_num_traces && !keys.tracing_rate && !keys.trace_mode_after &&
               !keys.window_timeout && !keys.window_end_trigger &&
               std::all_of(keys.events.begin(), keys.events.end(),
                           [](const EventChoices& each) { return each.named == 0; });
    }

    void warn(const Edit& edit, const std::string& what) {
        applied_.warnings.push_back({Severity::warning, edit.location, edit.length,
                                     "there is no " + what + " to remove", ""});
    }

    Configuration& configuration_;
    Applied& applied_;
};

}  // namespace

Applied apply_edits(const std::vector<Edit>& edits, Configuration& configuration) {
    Applied applied;
    std::for_each(edits.begin(), edits.end(), Application(configuration, applied));
    return applied;
}

}  // namespace spyglass::config

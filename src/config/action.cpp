// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/action.h"

#include <cstdio>
#include <utility>

#include "config/words.h"

namespace spyglass::config {

namespace {

constexpr std::pair<std::string_view, Mode> modes[] = {{"OFF", Mode::off},
                                                       {"STANDBY", Mode::standby},
                                                       {"MONITORING", Mode::monitoring},
                                                       {"TRACING", Mode::tracing}};
constexpr std::string_view mode_words = "OFF, STANDBY, MONITORING or TRACING";
constexpr std::string_view introspect_form = "INTROSPECT:seconds:script[:resume]";

class ActionParser {
  public:
    ActionParser(std::string_view text, std::optional<schema::DomainId> domain)
        : text_(text), domain_(domain) {}

    std::variant<Action, ActionMistake> parse() {
        const std::string_view whole = trimmed(text_);
        const size_t colon = whole.find(':');
        if (schema::equal_ignoring_case(trimmed(whole.substr(0, colon)), "INTROSPECT")) {
            if (auto action = introspect(whole, colon)) return *std::move(action);
        } else if (auto changes = mode_changes(whole)) {
            return Action(*changes);
        }
        return *std::move(mistake_);
    }

  private:
    std::optional<Action> introspect(std::string_view whole, size_t colon) {
        const size_t second = colon == whole.npos ? colon : whole.find(':', colon + 1);
        if (second == whole.npos) {
            return wrong(whole, "INTROSPECT needs a time and a script",
                         "write " + std::string(introspect_form));
        }
        Introspect result;
        const std::string_view time = trimmed(whole.substr(colon + 1, second - colon - 1));
        const auto seconds = parse_seconds(time);
        if (!seconds || (*seconds < 0 && *seconds != -1)) {
            return wrong(time, "'" + std::string(time) + "' is not a time to wait",
                         "seconds: a number above 0, 0 (do not wait) or -1 (until the signal)");
        }
        result.seconds = *seconds;
        const size_t third = whole.find(':', second + 1);
        const std::string_view script =
            trimmed(whole.substr(second + 1, third == whole.npos ? third : third - second - 1));
        if (script.empty())
            return wrong(script, "INTROSPECT names no script", "write - for no script");
        if (script != "-") result.script = script;
        if (third == whole.npos) {
            set_all(result.resume, Mode::monitoring);
            return result;
        }
        const auto resume = mode_changes(trimmed(whole.substr(third + 1)));
        if (!resume) return std::nullopt;
        result.resume = *resume;
        return result;
    }

    // MODE | D:MODE {, D:MODE}
    std::optional<ModeChanges> mode_changes(std::string_view list) {
        ModeChanges changes;
        if (list.find_first_of(":,") == list.npos) {
            const auto mode = mode_of(list);
            if (!mode) return std::nullopt;
            set_all(changes, *mode);
            return changes;
        }
        while (true) {
            const size_t comma = list.find(',');
            const std::string_view item = trimmed(list.substr(0, comma));
            const size_t colon = item.find(':');
            const std::string_view name = trimmed(item.substr(0, colon));
            const schema::Domain* const domain = schema::find_domain(name);
            if (!domain || colon == item.npos) {
                return wrong(item, "'" + std::string(item) + "' is not DOMAIN:MODE",
                             "for example Python:MONITORING, OpenMP:TRACING");
            }
            const auto mode = mode_of(trimmed(item.substr(colon + 1)));
            if (!mode) return std::nullopt;
            changes[static_cast<size_t>(domain->id)] = *mode;
            if (comma == list.npos) return changes;
            list.remove_prefix(comma + 1);
        }
    }

    std::optional<Mode> mode_of(std::string_view word) {
        if (const auto mode = find_mode(word)) return mode;
        return wrong(word, "'" + std::string(word) + "' is not a mode",
                     "write " + std::string(mode_words) + ", DOMAIN:MODE or " +
                         std::string(introspect_form));
    }

    void set_all(ModeChanges& changes, Mode mode) const {
        for (const schema::Domain& each : schema::domains()) {
            if (!domain_ || *domain_ == each.id) changes[static_cast<size_t>(each.id)] = mode;
        }
    }

    std::nullopt_t wrong(std::string_view where, std::string message, std::string hint) {
        mistake_ = {static_cast<size_t>(where.data() - text_.data()),
                    where.empty() ? 1 : where.size(), std::move(message), std::move(hint)};
        return std::nullopt;
    }

    std::string_view text_;
    std::optional<schema::DomainId> domain_;
    std::optional<ActionMistake> mistake_;
};

std::string text_of(const ModeChanges& changes) {
    std::string text;
    for (const schema::Domain& each : schema::domains()) {
        const auto mode = changes[static_cast<size_t>(each.id)];
        if (!mode) continue;
        if (!text.empty()) text += ", ";
        text += std::string(each.name) + ':' + std::string(name_of(*mode));
    }
    return text;
}

}  // namespace

std::string_view name_of(Mode mode) {
    return modes[static_cast<size_t>(mode)].first;
}

std::optional<Mode> find_mode(std::string_view word) {
    for (const auto& [name, mode] : modes) {
        if (schema::equal_ignoring_case(name, word)) return mode;
    }
    return std::nullopt;
}

std::variant<Action, ActionMistake> parse_action(std::string_view text,
                                                 std::optional<schema::DomainId> domain) {
    return ActionParser(text, domain).parse();
}

std::string text_of(const Action& action) {
    if (const auto* const changes = std::get_if<ModeChanges>(&action)) return text_of(*changes);
    const auto& introspect = std::get<Introspect>(action);
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%g", introspect.seconds);
    return "INTROSPECT:" + std::string(seconds) + ':' +
           (introspect.script.empty() ? "-" : introspect.script) + ':' + text_of(introspect.resume);
}

}  // namespace spyglass::config

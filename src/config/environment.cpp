// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/environment.h"

#include <csignal>

#include "config/words.h"

namespace spyglass::config {

namespace {

template <class Value>
struct Word {
    std::string_view text;
    Value value;
};

constexpr Word<Mode> mode_words[] = {{"OFF", Mode::off},
                                     {"FALSE", Mode::off},
                                     {"0", Mode::off},
                                     {"STANDBY", Mode::standby},
                                     {"MONITORING", Mode::monitoring},
                                     {"MONITOR", Mode::monitoring},
                                     {"TRACING", Mode::tracing},
                                     {"ON", Mode::tracing},
                                     {"TRUE", Mode::tracing},
                                     {"1", Mode::tracing}};
constexpr Word<Sink> sink_words[] = {
    {"auto", Sink::automatic}, {"ctf", Sink::ctf}, {"lttng", Sink::lttng}, {"both", Sink::both}};
constexpr Word<int> signal_words[] = {{"none", 0}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}};
constexpr Word<bool> debug_words[] = {{"0", false}, {"1", true}};

template <class Value, size_t count>
std::optional<Value> find(const Word<Value> (&words)[count], std::string_view text) {
    for (const Word<Value>& each : words) {
        if (schema::equal_ignoring_case(each.text, text)) return each.value;
    }
    return std::nullopt;
}

template <class Value, size_t count>
std::string list(const Word<Value> (&words)[count]) {
    std::string text;
    for (const Word<Value>& each : words) {
        if (!text.empty()) text += ", ";
        text += each.text;
    }
    return text;
}

class Reader {
  public:
    explicit Reader(const std::function<const char*(const char*)>& get) : get_(get) {}

    Environment run() {
        for (const schema::Domain& each : schema::domains()) domain_mode(each);
        rate("PINSIGHT_TRACE_RATE", false);
        rate("PINSIGHT_TRACE_WINDOW", true);
        if (const auto text = value_of("PINSIGHT_TRACE_CONFIG_FILE")) result_.file = *text;
        if (const auto text = value_of("PINSIGHT_TRACE_DIR")) result_.directory = *text;
        choose("PINSIGHT_SINK", sink_words, result_.sink);
        choose("PINSIGHT_DEBUG_ENABLE", debug_words, result_.debug);
        result_.reload_signal = SIGUSR1;
        reload_signal("PINSIGHT_RELOAD_SIGNAL");
        return std::move(result_);
    }

  private:
    // An empty variable is one that is not set.
    std::optional<std::string_view> value_of(const std::string& variable) const {
        const char* const text = get_(variable.c_str());
        if (!text || trimmed(text).empty()) return std::nullopt;
        return trimmed(text);
    }

    template <class Value, size_t count>
    void choose(const std::string& variable, const Word<Value> (&words)[count], Value& into) {
        const auto text = value_of(variable);
        if (!text) return;
        if (const auto value = find(words, *text)) {
            into = *value;
        } else {
            wrong(variable, *text, list(words));
        }
    }

    void domain_mode(const schema::Domain& domain) {
        const std::string variable = "PINSIGHT_TRACE_" + std::string(domain.environment_suffix);
        const auto text = value_of(variable);
        if (!text) return;
        const auto mode = find(mode_words, *text);
        if (!mode) return wrong(variable, *text, list(mode_words));
        Edit edit = edit_of(variable);
        edit.target = DomainTarget{domain.id};
        edit.keys.mode = {*mode, edit.origin};
        result_.edits.push_back(std::move(edit));
    }

    // start:max:rate[:seconds][:action]
    void rate(const std::string& variable, bool has_seconds) {
        const auto text = value_of(variable);
        if (!text) return;
        const std::string allowed =
            has_seconds ? "start:max:rate:seconds[:action]" : "start:max:rate[:action]";
        std::string_view rest = *text;
        std::vector<std::string_view> fields;
        const size_t wanted = has_seconds ? 4 : 3;
        bool more = true;
        while (more && fields.size() < wanted) {
            const size_t colon = rest.find(':');
            fields.push_back(trimmed(rest.substr(0, colon)));
            more = colon != rest.npos;
            rest = more ? rest.substr(colon + 1) : std::string_view{};
        }
        if (fields.size() < wanted) return wrong(variable, *text, allowed);
        const auto start = parse_number<int64_t>(fields[0]);
        const auto most = parse_number<int64_t>(fields[1]);
        const auto every = parse_number<int64_t>(fields[2]);
        if (!start || !most || !every || *start < 0 || *most < unlimited || *every < 1)
            return wrong(variable, *text,
                         allowed +
                             " with start 0 or more, max 0 or more (-1: no limit), rate 1 or "
                             "more");
        Edit edit = edit_of(variable);
        Keys& keys = edit.keys;
        keys.trace_starts_at = {static_cast<uint64_t>(*start), edit.origin};
        keys.max_num_traces = {*most, edit.origin};
        keys.tracing_rate = {static_cast<uint64_t>(*every), edit.origin};
        if (has_seconds) {
            const auto seconds = parse_seconds(fields[3]);
            if (!seconds || *seconds < 0)
                return wrong(variable, *text, allowed + " with seconds 0 or more");
            keys.window_timeout = {*seconds, edit.origin};
        }
        if (more) {
            auto action = parse_action(rest, std::nullopt);
            if (const auto* const mistake = std::get_if<ActionMistake>(&action))
                return wrong(variable, *text,
                             allowed + "; " + mistake->message + ", " + mistake->hint);
            keys.trace_mode_after = {std::get<Action>(std::move(action)), edit.origin};
        }
        result_.edits.push_back(std::move(edit));
    }

    void reload_signal(const std::string& variable) {
        const auto text = value_of(variable);
        if (!text) return;
        std::string_view name = *text;
        if (name.size() > 3 && schema::equal_ignoring_case(name.substr(0, 3), "SIG"))
            name.remove_prefix(3);
        auto number = find(signal_words, name);
        if (!number) number = parse_number<int>(name);
        const bool possible =
            number && *number >= 0 && *number < NSIG && *number != SIGKILL && *number != SIGSTOP;
        if (!possible)
            return wrong(variable, *text,
                         list(signal_words) + ", or the number of a signal that can be caught");
        result_.reload_signal = *number;
    }

    static Edit edit_of(const std::string& variable) {
        Edit edit;
        edit.origin = {variable, 0};
        return edit;
    }

    void wrong(const std::string& variable, std::string_view value, const std::string& allowed) {
        result_.mistakes.push_back(variable + " is '" + std::string(value) +
                                   "'; allowed: " + allowed);
    }

    const std::function<const char*(const char*)>& get_;
    Environment result_;
};

}  // namespace

Environment read_environment(const std::function<const char*(const char*)>& get) {
    return Reader(get).run();
}

}  // namespace spyglass::config

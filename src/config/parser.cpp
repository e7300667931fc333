// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/parser.h"

#include <algorithm>
#include <span>
#include <string>

#include "config/header_parser.h"
#include "config/words.h"

namespace spyglass::config {

namespace {

enum class Kind : uint8_t { domain, punit, lexgion, unknown };

Kind kind_of(const Target& target) {
    if (std::holds_alternative<DomainTarget>(target)) return Kind::domain;
    if (std::holds_alternative<PunitConstraint>(target)) return Kind::punit;
    return Kind::lexgion;
}

// What a section is about; none: all domains ([Lexgion.default], addresses).
std::optional<schema::DomainId> domain_of(const Target& target) {
    if (const auto* const domain = std::get_if<DomainTarget>(&target)) return domain->domain;
    if (const auto* const punits = std::get_if<PunitConstraint>(&target)) return punits->domain;
    if (const auto* const any = std::get_if<LexgionDefaultTarget>(&target)) return any->domain;
    std::optional<schema::DomainId> common;
    for (const Region& each : std::get<RegionsTarget>(target).regions) {
        if (!each.domain || (common && *common != *each.domain)) return std::nullopt;
        common = each.domain;
    }
    return common;
}

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

class Parser {
  public:
    explicit Parser(const SourceText& source) : source_(source) {}

    Parsed run() {
        std::string_view rest = source_.text();
        constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
        if (rest.substr(0, 3) == byte_order_mark) rest.remove_prefix(3);
        while (!rest.empty()) {
            const size_t end = std::min(rest.find('\n'), rest.size());
            line(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        finish_section();
        return std::move(parsed_);
    }

  private:
    struct KeyWord {
        std::string_view name;
        Kind kind;
        void (Parser::*read)(std::string_view value);
    };
    static std::span<const KeyWord> key_words();

    void line(std::string_view text) {
        text = trimmed(text.substr(0, text.find('#')));
        if (text.empty()) return;
        if (text.front() == '[') {
            header(text);
        } else {
            key(text);
        }
    }

    void header(std::string_view text) {
        finish_section();
        std::vector<Mistake> mistakes;
        auto edit = parse_header(text, mistakes);
        report(mistakes);
        has_section_ = true;
        is_known_ = edit.has_value();
        edit_ = edit ? *std::move(edit) : Edit{};
        kind_ = is_known_ ? kind_of(edit_.target) : Kind::unknown;
        edit_.origin = origin_of(text);
        edit_.location = locate(text);
        edit_.length = static_cast<uint32_t>(text.size());
        if (kind_ == Kind::domain && (!edit_.parents.empty() || !edit_.constraints.empty()))
            error(text, "a domain's default section inherits nothing", "");
    }

    void finish_section() {
        if (has_section_ && is_known_) parsed_.edits.push_back(std::move(edit_));
        has_section_ = false;
    }

    void key(std::string_view text) {
        const size_t equals = text.find('=');
        if (equals == text.npos) {
            return error(text, quoted(text) + " is neither a section header nor a key = value", "");
        }
        const std::string_view name = trimmed(text.substr(0, equals));
        std::string_view value = trimmed(text.substr(equals + 1));
        if (!has_section_)
            return error(text, "this key stands before the first section header",
                         "write for example [Python.default] above it");
        if (is_known_ && edit_.verb == Verb::remove)
            return error(text, "a section that is removed has no keys", "");
        if (name.empty()) return error(text, "this line has no key before =", "");
        if (value.empty()) return error(text, quoted(name) + " has no value", "");
        if (name.find('.') != name.npos) return scope(name, value);
        for (const KeyWord& each : key_words()) {
            if (!schema::equal_ignoring_case(each.name, name)) continue;
            if (kind_ != Kind::unknown && kind_ != each.kind)
                return error(name, quoted(name) + " is not a key of this section", keys_hint(name));
            return (this->*each.read)(value);
        }
        event(name, value);
    }

    // "Python.thread = (0-3)"
    void scope(std::string_view name, std::string_view value) {
        const size_t dot = name.find('.');
        const schema::Domain* const domain = schema::find_domain(trimmed(name.substr(0, dot)));
        const bool fits =
            domain && (kind_ == Kind::unknown ||
                       (kind_ == Kind::domain && domain_of(edit_.target) == domain->id));
        if (!fits)
            return error(name, quoted(name) + " is not a key of this section", keys_hint(name));
        std::vector<Mistake> mistakes;
        const auto punit = require_punit(*domain, trimmed(name.substr(dot + 1)), mistakes);
        if (punit && (value.front() != '(' || value.back() != ')')) {
            mistakes.push_back({value, quoted(value) + " is not a set", "write for example (0-3)"});
        } else if (punit) {
            const auto numbers = parse_numbers(trimmed(value.substr(1, value.size() - 2)), *domain,
                                               *punit, mistakes);
            if (numbers) edit_.keys.scopes[*punit] = {*numbers, origin_of(name)};
        }
        report(mistakes);
    }

    void event(std::string_view name, std::string_view value) {
        const schema::Domain* owner = nullptr;
        unsigned event = 0;
        for (const schema::Domain& each : schema::domains()) {
            if (const auto found = schema::find_event(each, name)) {
                owner = &each;
                event = *found;
            }
        }
        const auto about = is_known_ ? domain_of(edit_.target) : std::nullopt;
        const bool fits = owner && (kind_ == Kind::lexgion || !about || *about == owner->id);
        if (!fits)
            return error(name,
                         quoted(name) + (owner ? " is not an event of this section's domain"
                                               : " is not a key or an event"),
                         keys_hint(name));
        const bool on = schema::equal_ignoring_case(value, "on");
        if (!on && !schema::equal_ignoring_case(value, "off"))
            return error(value, quoted(value) + " does not say whether the event is recorded",
                         "write on or off");
        edit_.keys.events[static_cast<size_t>(owner->id)].choose(event, on, origin_of(name));
    }

    void read_mode(std::string_view value) {
        const auto mode = find_mode(value);
        if (!mode)
            return error(value, quoted(value) + " is not a mode",
                         suggest(value, {"OFF", "STANDBY", "MONITORING", "TRACING"}));
        edit_.keys.mode = {*mode, origin_of(value)};
    }

    void read_starts_at(std::string_view value) {
        whole_number(value, 0, "how many executions to skip: 0 or more",
                     edit_.keys.trace_starts_at);
    }
    void read_most(std::string_view value) {
        whole_number(value, unlimited, "how many executions to trace: 0 or more, -1 for no limit",
                     edit_.keys.max_num_traces);
    }
    void read_rate(std::string_view value) {
        whole_number(value, 1, "every how many-th execution is traced: 1 or more",
                     edit_.keys.tracing_rate);
    }

    template <class T>
    void whole_number(std::string_view value, int64_t least, const char* meaning,
                      std::optional<Setting<T>>& into) {
        const auto number = parse_number<int64_t>(value);
        if (!number || *number < least)
            return error(value, quoted(value) + " is not a number that this key takes", meaning);
        into = {static_cast<T>(*number), origin_of(value)};
    }

    void read_action(std::string_view value) {
        auto action = parse_action(value, domain_of(edit_.target));
        if (const auto* const mistake = std::get_if<ActionMistake>(&action))
            return error(value.substr(mistake->offset, mistake->length), mistake->message,
                         mistake->hint);
        edit_.keys.trace_mode_after = {std::get<Action>(std::move(action)), origin_of(value)};
    }

    void read_timeout(std::string_view value) {
        const auto seconds = parse_seconds(value);
        if (!seconds || *seconds < 0)
            return error(value, quoted(value) + " is not a number of seconds",
                         "0 or more; 0 for no time limit");
        edit_.keys.window_timeout = {*seconds, origin_of(value)};
    }

    void read_trigger(std::string_view value) {
        const bool all = schema::equal_ignoring_case(value, "all");
        if (!all && !schema::equal_ignoring_case(value, "first"))
            return error(value, quoted(value) + " is not a trigger",
                         "first: one function has its traces; all: every function has");
        edit_.keys.window_end_trigger = {all ? WindowEnd::all : WindowEnd::first, origin_of(value)};
    }

    // The nearest of all names that this section takes.
    std::string keys_hint(std::string_view name) const {
        std::vector<std::string> names;
        for (const KeyWord& each : key_words()) {
            if (kind_ == Kind::unknown || kind_ == each.kind) names.emplace_back(each.name);
        }
        const auto about = is_known_ ? domain_of(edit_.target) : std::nullopt;
        for (const schema::Domain& each : schema::domains()) {
            if (about && *about != each.id) continue;
            for (const schema::EventSpec& event : each.events) names.emplace_back(event.name);
            if (kind_ != Kind::domain) continue;
            for (const schema::PunitSpec& punit : each.punits)
                names.push_back(std::string(each.name) + '.' + std::string(punit.name));
        }
        const auto near = nearest_names(std::string(name), names, 1);
        return near.empty() ? "" : "did you mean '" + near.front() + "'?";
    }

    Location locate(std::string_view where) const {
        return source_.locate(static_cast<size_t>(where.data() - source_.text().data()));
    }
    Origin origin_of(std::string_view where) const { return {source_.name(), locate(where).line}; }

    void report(std::vector<Mistake>& mistakes) {
        for (Mistake& each : mistakes)
            error(each.where, std::move(each.message), std::move(each.hint));
    }
    void error(std::string_view where, std::string message, std::string hint) {
        parsed_.diagnostics.push_back({Severity::error, locate(where),
                                       static_cast<uint32_t>(std::max<size_t>(where.size(), 1)),
                                       std::move(message), std::move(hint)});
    }

    const SourceText& source_;
    Parsed parsed_;
    bool has_section_ = false;
    bool is_known_ = false;  // its header had no mistake
    Kind kind_ = Kind::unknown;
    Edit edit_;
};

std::span<const Parser::KeyWord> Parser::key_words() {
    static constexpr KeyWord table[] = {
        {"trace_mode", Kind::domain, &Parser::read_mode},
        {"trace_starts_at", Kind::lexgion, &Parser::read_starts_at},
        {"max_num_traces", Kind::lexgion, &Parser::read_most},
        {"tracing_rate", Kind::lexgion, &Parser::read_rate},
        {"trace_mode_after", Kind::lexgion, &Parser::read_action},
        {"window_end_action", Kind::lexgion, &Parser::read_action},
        {"window_timeout", Kind::lexgion, &Parser::read_timeout},
        {"window_end_trigger", Kind::lexgion, &Parser::read_trigger},
    };
    return table;
}

}  // namespace

Parsed parse(const SourceText& source) {
    return Parser(source).run();
}

}  // namespace spyglass::config

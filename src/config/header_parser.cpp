// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/header_parser.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "config/words.h"

namespace spyglass::config {

namespace {

// At the commas, or colons, that are outside of parentheses.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] == '(') ++depth;
        if (i < text.size() && text[i] == ')') --depth;
        if (i == text.size() || (text[i] == separator && depth <= 0)) {
            pieces.push_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    return pieces;
}

// "thread(0-1)": the word before, and what is inside; nothing if it has not this form.
struct Call {
    std::string_view word;
    std::string_view inside;
    std::string_view after;
};
std::optional<Call> as_call(std::string_view text) {
    const size_t open = text.find('(');
    const size_t close = text.rfind(')');
    if (open == text.npos || close == text.npos || close < open) return std::nullopt;
    return Call{trimmed(text.substr(0, open)), trimmed(text.substr(open + 1, close - open - 1)),
                trimmed(text.substr(close + 1))};
}

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

class HeaderParser {
  public:
    explicit HeaderParser(std::vector<Mistake>& mistakes) : mistakes_(mistakes) {}

    std::optional<Edit> parse(std::string_view line) {
        const size_t before = mistakes_.size();
        const size_t close = line.find(']');
        if (close == line.npos) {
            wrong(line, "this section header has no closing ]", "");
            return std::nullopt;
        }
        target(trimmed(line.substr(1, close - 1)));
        inheritance(trimmed(line.substr(close + 1)));
        if (mistakes_.size() != before) return std::nullopt;
        return std::move(edit_);
    }

  private:
    void target(std::string_view text) {
        text = take_verb(text);
        if (text.empty()) return wrong(text, "this section has no name", forms);
        const size_t end = text.find_first_of(".( \t");
        const std::string_view word = trimmed(text.substr(0, end));
        if (schema::equal_ignoring_case(word, "Lexgion")) {
            lexgion(text, trimmed(text.substr(word.size())));
        } else {
            domain_or_punit(text, word);
        }
        const bool is_default = std::holds_alternative<DomainTarget>(edit_.target) ||
                                std::holds_alternative<LexgionDefaultTarget>(edit_.target);
        if (is_default && edit_.verb == Verb::remove)
            wrong(text, "a default section cannot be removed", "write RESET");
        if (!is_default && edit_.verb == Verb::reset)
            wrong(text, "only a default section can be reset", "write REMOVE");
    }

    std::string_view take_verb(std::string_view text) {
        constexpr std::pair<std::string_view, Verb> verbs[] = {
            {"SET", Verb::set}, {"RESET", Verb::reset}, {"REMOVE", Verb::remove}};
        const size_t space = text.find_first_of(" \t");
        for (const auto& [word, verb] : verbs) {
            if (!schema::equal_ignoring_case(text.substr(0, space), word)) continue;
            edit_.verb = verb;
            return space == text.npos ? text.substr(text.size()) : trimmed(text.substr(space));
        }
        return text;
    }

    // After the word: ".default", "(D).default" or "(regions)".
    void lexgion(std::string_view text, std::string_view rest) {
        if (is_default(rest)) {
            edit_.target = LexgionDefaultTarget{};
            return;
        }
        const auto call = as_call(rest);
        if (!call || !call->word.empty())
            return wrong(text, quoted(text) + " is not a section", forms);
        if (!call->after.empty()) {
            if (!is_default(call->after))
                return wrong(call->after, quoted(call->after) + " does not belong here", forms);
            if (const schema::Domain* const domain = require_domain(call->inside))
                edit_.target = LexgionDefaultTarget{domain->id};
            return;
        }
        RegionsTarget regions;
        if (call->inside == "*" && edit_.verb == Verb::remove) {
            regions.all = true;
        } else {
            for (const std::string_view each : split(call->inside, ',')) {
                auto region = parse_region(each);
                if (const auto* const mistake = std::get_if<RegionMistake>(&region)) {
                    wrong(each, mistake->message, mistake->hint);
                } else {
                    regions.regions.push_back(std::get<Region>(std::move(region)));
                }
            }
        }
        edit_.target = std::move(regions);
    }

    void domain_or_punit(std::string_view text, std::string_view word) {
        const schema::Domain* const domain = require_domain(word);
        if (!domain) return;
        const std::string_view rest = trimmed(text.substr(word.size()));
        if (is_default(rest)) {
            edit_.target = DomainTarget{domain->id};
            return;
        }
        if (auto constraint = punits(text, *domain, true)) edit_.target = *std::move(constraint);
    }

    // "Python.thread(0-1)", known to begin with the domain.
    std::optional<PunitConstraint> punits(std::string_view text, const schema::Domain& domain,
                                          bool star_is_all) {
        const size_t dot = text.find('.');
        const auto call = as_call(dot == text.npos ? "" : text.substr(dot + 1));
        if (!call || !call->after.empty()) {
            wrong(text, quoted(text) + " is not a section",
                  "write " + std::string(domain.name) + ".default or " + std::string(domain.name) +
                      '.' + std::string(domain.punits.front().name) + "(0-3)");
            return std::nullopt;
        }
        const auto punit = require_punit(domain, call->word, mistakes_);
        if (!punit) return std::nullopt;
        if (star_is_all && call->inside == "*")
            return PunitConstraint{domain.id, *punit, NumberSet::everything()};
        const auto numbers = parse_numbers(call->inside, domain, *punit, mistakes_);
        if (!numbers) return std::nullopt;
        return PunitConstraint{domain.id, *punit, *numbers};
    }

    void inheritance(std::string_view rest) {
        if (rest.empty()) return;
        if (rest.front() != ':')
            return wrong(rest, quoted(rest) + " does not belong after a section's name",
                         "inherited domains follow a colon: [...] : Python.default");
        const auto parts = split(rest.substr(1), ':');
        if (parts.size() > 2)
            return wrong(parts[2], "a section header has at most two lists after its name",
                         "[...] : Python.default : Python.thread(0-3)");
        for (const std::string_view each : split(parts[0], ',')) {
            const size_t dot = each.find('.');
            if (dot == each.npos || !is_default(trimmed(each.substr(dot)))) {
                wrong(each, quoted(each) + " is not a domain's default section",
                      "write for example Python.default");
            } else if (const auto* const domain = require_domain(trimmed(each.substr(0, dot)))) {
                edit_.parents.push_back(domain->id);
            }
        }
        if (parts.size() < 2) return;
        for (const std::string_view each : split(parts[1], ',')) {
            const schema::Domain* const domain =
                require_domain(trimmed(each.substr(0, each.find('.'))));
            if (!domain) continue;
            if (auto constraint = punits(each, *domain, false))
                edit_.constraints.push_back(*std::move(constraint));
        }
    }

    static bool is_default(std::string_view text) {
        return !text.empty() && text.front() == '.' &&
               schema::equal_ignoring_case(trimmed(text.substr(1)), "default");
    }

    const schema::Domain* require_domain(std::string_view word) {
        const schema::Domain* const domain = schema::find_domain(word);
        if (domain) return domain;
        std::vector<std::string> names;
        for (const schema::Domain& each : schema::domains()) names.emplace_back(each.name);
        wrong(word, quoted(word) + " is not a domain", suggest(word, names));
        return nullptr;
    }

    void wrong(std::string_view where, std::string message, std::string hint) {
        mistakes_.push_back({where, std::move(message), std::move(hint)});
    }

    static constexpr const char* forms =
        "sections are [DOMAIN.default], [DOMAIN.PUNIT(0-3)], [Lexgion.default], "
        "[Lexgion(DOMAIN).default], [Lexgion(DOMAIN:NAME)]";

    std::vector<Mistake>& mistakes_;
    Edit edit_;
};

}  // namespace

std::optional<Edit> parse_header(std::string_view line, std::vector<Mistake>& mistakes) {
    return HeaderParser(mistakes).parse(line);
}

std::optional<NumberSet> parse_numbers(std::string_view text, const schema::Domain& domain,
                                       unsigned punit, std::vector<Mistake>& mistakes) {
    const schema::PunitSpec& spec = domain.punits[punit];
    NumberSet numbers;
    for (const std::string_view item : split(text, ',')) {
        const size_t dash = item.find('-');
        const auto first = parse_number<uint32_t>(trimmed(item.substr(0, dash)));
        const auto last =
            dash == item.npos ? first : parse_number<uint32_t>(trimmed(item.substr(dash + 1)));
        if (!first || !last) {
            mistakes.push_back(
                {item, quoted(item) + " is not a number or a range", "write for example (0-3, 7)"});
            return std::nullopt;
        }
        if (*first > *last) {
            mistakes.push_back({item, "the range " + quoted(item) + " ends before it begins", ""});
            return std::nullopt;
        }
        if (!spec.may_exceed && *last > spec.last) {
            mistakes.push_back({item,
                                "there is no " + std::string(domain.name) + '.' +
                                    std::string(spec.name) + ' ' + std::to_string(*last),
                                "they are numbered 0 to " + std::to_string(spec.last)});
            return std::nullopt;
        }
        numbers.add({*first, *last});
    }
    return numbers;
}

std::string suggest(std::string_view word, const std::vector<std::string>& names) {
    const auto near = nearest_names(std::string(word), names, 1);
    if (!near.empty()) return "did you mean '" + near.front() + "'?";
    std::string all;
    for (const std::string& each : names) all += (all.empty() ? "there are " : ", ") + each;
    return all;
}

std::optional<unsigned> require_punit(const schema::Domain& domain, std::string_view name,
                                      std::vector<Mistake>& mistakes) {
    if (const auto punit = schema::find_punit(domain, name)) return punit;
    std::vector<std::string> names;
    for (const schema::PunitSpec& each : domain.punits) names.emplace_back(each.name);
    mistakes.push_back(
        {name, quoted(name) + " is not a unit of parallelism of " + std::string(domain.name),
         suggest(name, names)});
    return std::nullopt;
}

}  // namespace spyglass::config

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "config/region.h"

#include <algorithm>
#include <charconv>

#include "base/glob.h"
#include "config/words.h"

namespace spyglass::config {

namespace {

constexpr auto wildcards = Wildcards::star_and_question;
constexpr std::string_view lambda = "<lambda>";

// Ranks, most specific last. A pattern's rank is the number of its literal characters, below these.
constexpr uint32_t by_name = 1u << 16;
constexpr uint32_t by_module = by_name + 1;
constexpr uint32_t by_file = by_name + 2;
constexpr uint32_t by_line = by_name + 3;

std::optional<uint64_t> parse_address(std::string_view text) {
    if (text.size() < 3 || text[0] != '0' || (text[1] | 0x20) != 'x') return std::nullopt;
    uint64_t address = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + 2, last, address, 16);
    if (error != std::errc() || end != last) return std::nullopt;
    return address;
}

std::string hexadecimal(uint64_t address) {
    char digits[17];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, address, 16);
    return "0x" + std::string(digits, end);
}

bool ends_with_lambda(std::string_view name) {
    if (name.size() < lambda.size() || name.substr(name.size() - lambda.size()) != lambda)
        return false;
    return name.size() == lambda.size() || name[name.size() - lambda.size() - 1] == '.';
}

bool is_module_and_name(std::string_view text, std::string_view module, std::string_view name) {
    return !module.empty() && text.size() == module.size() + 1 + name.size() &&
           text.substr(0, module.size()) == module && text[module.size()] == '.' &&
           text.substr(module.size() + 1) == name;
}

uint32_t literal_characters(const Region& region) {
    const auto count = [](const std::string& text) {
        return static_cast<size_t>(
            std::count_if(text.begin(), text.end(), [](char c) { return c != '*' && c != '?'; }));
    };
    return static_cast<uint32_t>(
        std::min<size_t>(1 + count(region.file) + count(region.name), by_name - 1));
}

bool pattern_matches(const Region& region, const FunctionName& function) {
    if (!region.file.empty() && !glob_matches(region.file, function.file, wildcards)) return false;
    if (glob_matches(region.name, function.qualified, wildcards)) return true;
    if (!region.file.empty()) return false;
    for (const std::string_view module : {function.module, function.main_stem}) {
        if (module.empty()) continue;
        const std::string full = std::string(module) + '.' + std::string(function.qualified);
        if (glob_matches(region.name, full, wildcards)) return true;
    }
    return false;
}

bool lambda_matches(const Region& region, const FunctionName& function) {
    return region.line == function.line && ends_with_lambda(function.qualified) &&
           (region.name == lambda || region.name == function.qualified);
}

RegionMistake unknown_domain(std::string_view word) {
    std::string known;
    for (const schema::Domain& each : schema::domains()) {
        if (!known.empty()) known += ", ";
        known += each.name;
    }
    return {"'" + std::string(word) + "' is not a domain", "the domains are " + known};
}

// "<lambda>@12": the line is cut off.
std::optional<RegionMistake> take_line(Region& region) {
    const size_t at = region.name.rfind('@');
    if (at == std::string::npos) return std::nullopt;
    const auto line = parse_number<uint32_t>(std::string_view(region.name).substr(at + 1));
    region.name.resize(at);
    if (!line || *line == 0 || region.file.empty() || !ends_with_lambda(region.name)) {
        return RegionMistake{"a line number is for a lambda of a file",
                             "for example Python:solver.py:<lambda>@12"};
    }
    region.line = *line;
    return std::nullopt;
}

}  // namespace

std::string Region::text() const {
    std::string text;
    if (domain) text = std::string(schema::domain(*domain).name) + ':';
    if (name.empty()) return text + hexadecimal(address);
    if (!file.empty()) text += file + ':';
    text += name;
    if (line != 0) text += '@' + std::to_string(line);
    return text;
}

uint32_t how_specifically(const Region& region, const FunctionName& function) {
    if (region.domain && *region.domain != function.domain) return 0;
    if (region.name.empty()) {
        const bool by_address =
            schema::domain(function.domain).naming == schema::RegionNaming::by_address;
        return by_address && region.address == function.address ? by_name : 0;
    }
    if (region.is_pattern)
        return pattern_matches(region, function) ? literal_characters(region) : 0;
    if (!region.file.empty() && region.file != function.file) return 0;
    if (region.line != 0) return lambda_matches(region, function) ? by_line : 0;
    if (region.name == function.qualified) return region.file.empty() ? by_name : by_file;
    if (!region.file.empty()) return 0;
    const bool qualified = is_module_and_name(region.name, function.module, function.qualified) ||
                           is_module_and_name(region.name, function.main_stem, function.qualified);
    return qualified ? by_module : 0;
}

std::variant<Region, RegionMistake> parse_region(std::string_view text) {
    text = trimmed(text);
    Region region;
    if (const auto address = parse_address(text)) {
        region.address = *address;
        return region;
    }
    const size_t colon = text.find(':');
    const std::string_view word = trimmed(text.substr(0, colon));
    if (colon == text.npos) {
        return RegionMistake{"'" + std::string(text) + "' names no domain",
                             "write Python:" + std::string(text.empty() ? "NAME" : text) +
                                 ", or 0x… for a code address"};
    }
    const schema::Domain* const domain = schema::find_domain(word);
    if (!domain) return unknown_domain(word);
    region.domain = domain->id;
    std::string_view rest = trimmed(text.substr(colon + 1));
    if (domain->naming == schema::RegionNaming::by_address) {
        const auto address = parse_address(rest);
        if (!address) {
            return RegionMistake{"'" + std::string(rest) + "' is not a code address",
                                 std::string(domain->name) + " regions are named by address: 0x…"};
        }
        region.address = *address;
        return region;
    }
    if (const size_t second = rest.find(':'); second != rest.npos) {
        const std::string_view file = trimmed(rest.substr(0, second));
        if (file.size() < 4 || file.substr(file.size() - 3) != ".py" ||
            file.find('/') != file.npos) {
            return RegionMistake{
                "'" + std::string(file) + "' is not the base name of a Python file",
                "write Python:FILE.py:NAME"};
        }
        region.file = file;
        rest = trimmed(rest.substr(second + 1));
    }
    if (rest.empty() || rest.find_first_of(": \t") != rest.npos) {
        return RegionMistake{"'" + std::string(rest) + "' is not the name of a function",
                             "write its qualified name, for example Python:Solver.run"};
    }
    region.name = rest;
    if (const auto mistake = take_line(region)) return *mistake;
    region.is_pattern =
        !glob_is_literal(region.name, wildcards) || !glob_is_literal(region.file, wildcards);
    return region;
}

}  // namespace spyglass::config

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "language/line_range.h"
#include "language/passes/passes.h"
#include "language/vocabulary.h"

namespace spyglass::language {

namespace {

plan::Site site_of(const SpecNode& node) {
    plan::Site site;
    site.text = std::string(node.whole.text);
    site.pattern = node.first.text.empty() ? "*" : std::string(node.first.text);
    if (node.name.text == "line") {
        const auto lines = parse_line_range(node.second.text);
        site.kind = plan::SiteKind::line;
        site.first_line = lines->first;
        site.last_line = lines->last;
        return site;
    }
    for (const SiteWord& each : site_words()) {
        if (each.probe == node.name.text && each.name == node.second.text) site.kind = each.kind;
    }
    return site;
}

std::string trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::string_view margin_of(std::string_view line) {
    return line.substr(0, line.find_first_not_of(" \t"));
}

std::string_view common(std::string_view a, std::string_view b) {
    const auto split = std::mismatch(
        a.begin(), a.begin() + static_cast<long>(std::min(a.size(), b.size())), b.begin());
    return a.substr(0, static_cast<size_t>(split.first - a.begin()));
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    size_t begin = 0;
    for (;;) {
        const size_t newline = text.find('\n', begin);
        lines.push_back(
            text.substr(begin, newline == std::string_view::npos ? newline : newline - begin));
        if (newline == std::string_view::npos) return lines;
        begin = newline + 1;
    }
}

}  // namespace

std::string dedent(std::string_view action) {
    const std::vector<std::string_view> lines = lines_of(action);
    // The text right after the braces has whatever margin the writer left there: it is no guide for
    // the other lines, except when it opens a block that they belong to.
    std::string_view margin;
    bool first = true;
    for (size_t i = 1; i < lines.size(); ++i) {
        if (is_blank(lines[i])) continue;
        margin = first ? margin_of(lines[i]) : common(margin, margin_of(lines[i]));
        first = false;
    }
    const bool opens_block = !trimmed(lines[0]).empty() && trimmed(lines[0]).back() == ':';
    std::string text;
    if (!is_blank(lines[0])) text = lines[0].substr(margin_of(lines[0]).size());
    for (size_t i = 1; i < lines.size(); ++i) {
        text += '\n';
        if (is_blank(lines[i])) continue;
        if (opens_block) text += "    ";
        text += lines[i].substr(margin.size());
    }
    return text;
}

plan::Program lower(const ProgramNode& tree, const SourceText& source) {
    plan::Program program;
    for (const ClauseNode& node : tree.clauses) {
        plan::Clause clause;
        for (const SpecNode& spec : node.specs) clause.sites.push_back(site_of(spec));
        clause.predicate = trimmed(node.predicate.text);
        clause.action = dedent(node.action.text);
        clause.action_line = source.locate(node.action.offset).line;
        program.clauses.push_back(std::move(clause));
    }
    return program;
}

}  // namespace spyglass::language

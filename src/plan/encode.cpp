// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "plan/encode.h"

#include "base/bytes.h"

namespace spyglass::plan {

namespace {

constexpr uint32_t plan_version = 1;
constexpr size_t least_clause_bytes = 16;
constexpr size_t least_site_bytes = 17;

Error damaged() {
    return Error("the plan is damaged").code("damaged-plan");
}

void write_site(ByteWriter& to, const Site& site) {
    to.number(site.kind);
    to.text(site.pattern);
    to.number(site.first_line);
    to.number(site.last_line);
    to.text(site.text);
}

Site read_site(ByteReader& from, bool& valid) {
    Site site;
    const auto kind = from.number<uint8_t>();
    valid = valid && kind < site_kind_count;
    site.kind = static_cast<SiteKind>(kind < site_kind_count ? kind : 0);
    site.pattern = from.text();
    site.first_line = from.number<uint32_t>();
    site.last_line = from.number<uint32_t>();
    site.text = from.text();
    const bool has_pattern = site.kind != SiteKind::begin && site.kind != SiteKind::end;
    valid = valid && (!has_pattern || !site.pattern.empty());
    return site;
}

}  // namespace

std::vector<std::byte> encode(const Program& program) {
    ByteWriter to;
    to.number(plan_version);
    to.number(static_cast<uint32_t>(program.clauses.size()));
    for (const Clause& clause : program.clauses) {
        to.number(static_cast<uint32_t>(clause.sites.size()));
        for (const Site& site : clause.sites) write_site(to, site);
        to.text(clause.predicate);
        to.text(clause.action);
        to.number(clause.action_line);
    }
    return to.take();
}

Result<Program> decode_program(std::span<const std::byte> untrusted_bytes) {
    ByteReader from(untrusted_bytes);
    if (from.number<uint32_t>() != plan_version) return damaged();
    Program program;
    bool valid = true;
    const uint32_t clauses = from.count(least_clause_bytes);
    for (uint32_t i = 0; i < clauses && !from.failed(); ++i) {
        Clause clause;
        const uint32_t sites = from.count(least_site_bytes);
        for (uint32_t j = 0; j < sites && !from.failed(); ++j)
            clause.sites.push_back(read_site(from, valid));
        valid = valid && !clause.sites.empty();
        clause.predicate = from.text();
        clause.action = from.text();
        clause.action_line = from.number<uint32_t>();
        program.clauses.push_back(std::move(clause));
    }
    if (!valid || !from.finished()) return damaged();
    return program;
}

std::vector<std::byte> encode(const ListingFilter& filter) {
    ByteWriter to;
    to.text(filter.probe);
    to.text(filter.first);
    to.text(filter.second);
    return to.take();
}

Result<ListingFilter> decode_listing_filter(std::span<const std::byte> untrusted_bytes) {
    ByteReader from(untrusted_bytes);
    ListingFilter filter;
    filter.probe = from.text();
    filter.first = from.text();
    filter.second = from.text();
    if (!from.finished()) return damaged();
    return filter;
}

}  // namespace spyglass::plan

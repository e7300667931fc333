// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "aggregate/histogram.h"
#include "aggregate/kinds.h"
#include "aggregate/render.h"
#include "output/report.h"

namespace spyglass::output {

namespace {

using nlohmann::json;

json value_of(const aggregate::EntrySnapshot& entry) {
    switch (entry.representation) {
        case aggregate::Representation::integer:
            return entry.integer;
        case aggregate::Representation::real:
            // JSON has no nan and inf: as text.
            return std::isfinite(entry.real) ? json(entry.real)
                                             : json(aggregate::render(entry.real));
        case aggregate::Representation::histogram: {
            json buckets = json::array();
            for (size_t i = 0; i < entry.histogram.counts.size(); ++i) {
                if (entry.histogram.counts[i] == 0) continue;
                const auto bucket =
                    static_cast<int32_t>(entry.histogram.first_bucket + static_cast<int32_t>(i));
                buckets.push_back({{"from", aggregate::bucket_label(bucket)},
                                   {"count", entry.histogram.counts[i]}});
            }
            json histogram = {{"buckets", buckets}};
            if (entry.histogram.not_numbers != 0)
                histogram["not_finite"] = entry.histogram.not_numbers;
            return histogram;
        }
        default:
            return entry.text;
    }
}

class JsonReport final : public Report {
  public:
    using Report::Report;

    void printed(const std::string& text, bool to_errors) override {
        line({{"type", "print"}, {"stream", to_errors ? "stderr" : "stdout"}, {"text", text}});
    }
    void action_failed(const std::string& text) override {
        line({{"type", "error"}, {"text", text}});
    }
    void map(const aggregate::MapSnapshot& map) override {
        json entries = json::array();
        for (const aggregate::EntrySnapshot& entry : map.entries) {
            json item = {{"key", entry.key},
                         {"kind", aggregate::kind_name(entry.kind)},
                         {"value", value_of(entry)}};
            entries.push_back(std::move(item));
        }
        line({{"type", "map"},
              {"name", map.name},
              {"entries", entries},
              {"overflowed", map.overflowed}});
    }
    void said(const std::string& sentence) override {
        out_.flush();
        messages_.write(sentence + "\n");
        messages_.flush();
    }
    void site(const std::string& text) override { line({{"type", "site"}, {"site", text}}); }

  private:
    void line(const json& object) {
        out_.write(object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
    }
};

}  // namespace

std::unique_ptr<Report> make_json_report(Stream& out, Stream& messages) {
    return std::make_unique<JsonReport>(out, messages);
}

}  // namespace spyglass::output

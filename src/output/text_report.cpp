// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "aggregate/render.h"
#include "output/report.h"

namespace spyglass::output {

namespace {

class TextReport final : public Report {
  public:
    using Report::Report;

    void printed(const std::string& text, bool to_errors) override {
        if (to_errors) {
            say(text);
        } else {
            out_.write(text);
        }
    }
    void action_failed(const std::string& text) override { say(text); }
    void map(const aggregate::MapSnapshot& map) override { out_.write(aggregate::render(map)); }
    void said(const std::string& sentence) override { say(sentence + "\n"); }
    void site(const std::string& line) override { out_.write(line + "\n"); }

  private:
    void say(const std::string& text) {
        out_.flush();
        messages_.write(text);
        messages_.flush();
    }
};

}  // namespace

std::unique_ptr<Report> make_text_report(Stream& out, Stream& messages) {
    return std::make_unique<TextReport>(out, messages);
}

}  // namespace spyglass::output

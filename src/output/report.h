// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a tracing session shows: prints, errors, maps, losses; as text for people or as one JSON
// object per line. Prints go to the output stream; what spyglass itself says goes to the message
// stream. Order between the two streams is kept. One thread.
#pragma once

#include <memory>
#include <string>

#include "aggregate/snapshot.h"
#include "output/stream.h"

namespace spyglass::output {

class Report {
  public:
    Report(Stream& out, Stream& messages) : out_(out), messages_(messages) {}
    virtual ~Report() = default;

    virtual void printed(const std::string& text, bool to_errors) = 0;
    virtual void action_failed(const std::string& text) = 0;
    virtual void map(const aggregate::MapSnapshot& map) = 0;
    /// A sentence about the session; with `-q` only what was lost or failed is said.
    virtual void said(const std::string& sentence) = 0;
    virtual void site(const std::string& line) = 0;

    void flush() {
        out_.flush();
        messages_.flush();
    }
    bool broken() const { return out_.broken(); }

  protected:
    Stream& out_;
    Stream& messages_;
};

std::unique_ptr<Report> make_text_report(Stream& out, Stream& messages);
std::unique_ptr<Report> make_json_report(Stream& out, Stream& messages);

}  // namespace spyglass::output

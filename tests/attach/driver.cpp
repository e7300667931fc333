// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// driver PID GUEST [STRATEGY [PATIENCE_MS]]: attaches, exchanges one byte with the echo guest,
// detaches, prints one JSON line. The attach room as a test sees it, without the rest of the
// product.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "attach/attach.h"
#include "base/clock.h"

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    std::ifstream file(argv[2], std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)),
                                  std::istreambuf_iterator<char>());
    spyglass::attach::Request request;
    request.pid = atoi(argv[1]);
    request.guest_bytes = std::as_bytes(std::span(bytes));
    if (argc > 3) request.only_strategy = argv[3];
    if (argc > 4) request.patience_ms = static_cast<uint32_t>(atoi(argv[4]));
    request.on_progress = [](const std::string& line) { fprintf(stderr, "%s\n", line.c_str()); };
    request.on_waiting = request.on_progress;
    const uint64_t before = spyglass::monotonic_ns();
    auto attachment = spyglass::attach::attach(request);
    const uint64_t took_us = (spyglass::monotonic_ns() - before) / 1000;
    if (!attachment) {
        printf("{\"error\": \"%s\", \"code\": \"%s\", \"took_us\": %lu}\n",
               attachment.error().message().c_str(), attachment.error().code().c_str(),
               static_cast<unsigned long>(took_us));
        return 1;
    }
    char byte = 'x';
    if (write(attachment->control.get(), &byte, 1) != 1 ||
        read(attachment->control.get(), &byte, 1) != 1)
        return 3;
    printf("{\"strategy\": \"%s\", \"stopped_us\": %u, \"took_us\": %lu}\n",
           attachment->strategy.c_str(), attachment->stopped_us,
           static_cast<unsigned long>(took_us));
    return 0;
}

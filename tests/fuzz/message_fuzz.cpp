// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
// Bodies of control messages, whoever sent them.
#include "wire/message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    (void)spyglass::wire::decode_hello(bytes);
    (void)spyglass::wire::decode_hello_ack(bytes);
    (void)spyglass::wire::decode_install_failed(bytes);
    (void)spyglass::wire::decode_ended(bytes);
    return 0;
}

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of calls of the CUDA runtime and driver, and what a device did, as CUPTI tells of them.
#include "schema/domain.h"

namespace spyglass::schema {

namespace {

constexpr EventSpec events[] = {
    {"cuda_kernel_launch", true, "a kernel is launched"},
    {"cuda_memcpy", true, "memory is copied"},
    {"cuda_memset", true, "memory is set"},
    {"cuda_malloc", true, "device memory is allocated or freed"},
    {"cuda_synchronize", true, "the host waits for a device, a stream or an event"},
    {"cuda_stream", false, "a stream is made or destroyed"},
    {"cuda_event", false, "an event is made, recorded or destroyed"},
    {"cuda_activity", true, "what the device did, with its own times"},
};

constexpr PunitSpec punits[] = {{"device", 16, false}};

}  // namespace

const Domain cuda_domain = {DomainId::cuda,           "CUDA", "CUDA",
                            RegionNaming::by_address, events, punits};

}  // namespace spyglass::schema

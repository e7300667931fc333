// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a shared object that attach/ loads into a target presents itself. It exports one variable,
// `spyglass_guest_image`. attach/ finds it in the target's memory (its ELF reader works on mapped
// images), both to start a freshly loaded object and to start one again that an earlier session
// left mapped and inert. What the object does once running is not described here.
//
// Written by the loader and by the object in the target; read by the tracer, which copies it and
// checks every field. One session at a time: `state` is claimed by compare-and-swap.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace spyglass {

enum class GuestState : uint32_t {
    idle = 0,    // mapped, nothing running; may be started
    active = 1,  // a session owns it, from before its thread starts until run() is about to return
};

struct GuestImage {
    static constexpr uint64_t expected_magic = 0x31474d4947595053;  // "SPYGIMG1", little endian
    static constexpr uint32_t expected_abi = 1;

    uint64_t magic = expected_magic;
    uint32_t abi = expected_abi;
    std::atomic<uint32_t> state{0};  // GuestState

    /// Runs one session on the calling thread, which holds no lock, no GIL, and has every signal
    /// blocked. Owns `control_fd` (one end of a stream socket pair). `runtime` is the address of
    /// `_PyRuntime` as the tracer found it, or 0. Returns when the session is over, with `state`
    /// idle and nothing of the session left in the target.
    void (*run)(int control_fd, uint64_t runtime) = nullptr;

    /// The loader's code and data, kept mapped for the next attach; 0 before the first.
    std::atomic<uint64_t> loader_region{0};
    uint64_t loader_region_bytes = 0;

    /// When the object was started by the interpreter's own import (remote debugging interface)
    /// there was no loader to make the socket pair: the object makes it, and the tracer takes this
    /// end over. -1 otherwise.
    std::atomic<int32_t> peer_fd{-1};
    uint32_t reserved = 0;
};

inline constexpr char guest_image_symbol[] = "spyglass_guest_image";

static_assert(sizeof(std::atomic<uint32_t>) == 4 && std::atomic<uint32_t>::is_always_lock_free);
static_assert(offsetof(GuestImage, state) == 12);
static_assert(offsetof(GuestImage, run) == 16);
static_assert(offsetof(GuestImage, loader_region) == 24);
static_assert(offsetof(GuestImage, peer_fd) == 40);
static_assert(sizeof(GuestImage) == 48);

}  // namespace spyglass

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The control channel: framed messages over the stream socket pair. It carries bytes whose meaning
// (a plan, a listing) belongs to others. The tracer treats whatever arrives as untrusted; sizes are
// bounded. End of file in either direction means that the other side is gone.
//
// Order: hello, install | list -> hello_ack -> live | install_failed | sites… -> list_end
//        … remove -> ended; the agent may send `ended` unasked (exit(), end of the program).
// Any thread, one at a time per direction; blocking; sends never raise SIGPIPE.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/scoped_fd.h"

namespace spyglass::wire {

inline constexpr uint32_t protocol_version = 1;
inline constexpr uint32_t max_message_bytes = 64u << 20;

enum class MessageKind : uint16_t {
    // tracer -> agent
    hello = 1,    // Hello; descriptors: shared memory, event descriptor (wakes the reader)
    install = 2,  // plan::encode(Program)
    list = 3,     // plan::encode(ListingFilter)
    remove = 4,   // take the probes away, run END, answer `ended`, go
    run = 5,      // the person knows that the probes are live: a started program may go on

    // agent -> tracer
    hello_ack = 16,       // HelloAck; once the interpreter has been entered for the request
    live = 17,            // every probe is live
    install_failed = 18,  // InstallFailed; nothing was installed
    sites = 19,           // text: complete lines of a listing, any number of such messages
    list_end = 20,
    ended = 21,   // Ended; last message, then the agent closes
    forked = 22,  // a child of the target: text of its pid; it is untraced
    notice = 23,  // text for the person (one line)
};

struct Hello {
    uint32_t protocol = protocol_version;
    uint32_t action_timeout_ms = 1000;
    uint64_t max_map_keys = 1'048'576;
    bool drop_instead_of_wait = false;
};

struct HelloAck {
    uint32_t protocol = protocol_version;
    uint32_t python_version_hex = 0;
    uint32_t interpreters = 1;   // more than one: the others are untraced
    int32_t control_thread = 0;  // whose end is the agent's, as the target's pid namespace counts
    std::string working_directory;  // the target's, for paths in listings
};

struct InstallFailed {
    uint32_t clause = no_clause_index;
    uint32_t line = 0;    // within the action, 1-based; 0: no place
    uint32_t column = 0;  // 1-based
    bool in_predicate = false;
    std::string text;  // "invalid syntax"
    static constexpr uint32_t no_clause_index = 0xffffffff;
};

enum class EndReason : uint8_t {
    removed = 0,        // the tracer asked
    exit_called = 1,    // exit() in an action
    program_ended = 2,  // the interpreter is about to finalise
};

struct Ended {
    EndReason reason = EndReason::removed;
    std::vector<uint64_t> clause_hits;       // by clause
    std::vector<uint64_t> clause_sites;      // code locations ever matched, by clause
    std::vector<uint64_t> clause_errors;     // exceptions in actions, by clause
    std::vector<uint64_t> clause_skipped;    // elapsed() of executions already running, by clause
    std::vector<std::string> nearest_names;  // by clause; what was seen that is close, "" otherwise
};

struct Message {
    MessageKind kind = MessageKind::notice;
    std::vector<std::byte> body;
    std::vector<ScopedFd> descriptors;
};

Result<void> send(int socket, MessageKind kind, std::span<const std::byte> body,
                  std::span<const int> descriptors = {});
Result<void> send_text(int socket, MessageKind kind, const std::string& text);

/// Blocks for one whole message. An Error with code "closed" is the other side's end of file.
Result<Message> receive(int socket);

std::vector<std::byte> encode(const Hello&);
std::vector<std::byte> encode(const HelloAck&);
std::vector<std::byte> encode(const InstallFailed&);
std::vector<std::byte> encode(const Ended&);
Result<Hello> decode_hello(std::span<const std::byte>);
Result<HelloAck> decode_hello_ack(std::span<const std::byte>);
Result<InstallFailed> decode_install_failed(std::span<const std::byte>);
Result<Ended> decode_ended(std::span<const std::byte>);

}  // namespace spyglass::wire

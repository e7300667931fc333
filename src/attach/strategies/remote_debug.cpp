// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// CPython 3.14+ can be asked to run a script (PEP 768): its path and a flag are written into thread
// states of the main interpreter, and the first thread that reaches a safepoint serves it. Only
// memory is written; no thread stops. The script loads the agent with the import system's own
// extension loader and binds no name anywhere.
//
// The target must be able to open the script, which lies in a memory file of ours: so it must see
// our /proc entry (same pid namespace) and be allowed to follow it (same user, or root).
// Source: Python/ceval_gil.c (_PyRunRemoteDebugger), Python/remote_debugging.c of 3.14.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "attach/debug_offsets.h"
#include "attach/proc_file.h"
#include "attach/safe_point.h"
#include "attach/strategy.h"
#include "base/clock.h"
#include "base/guest_image.h"

namespace spyglass::attach {

namespace {

constexpr uint64_t patience_ns = 200'000'000;
constexpr uint64_t patience_after_withdrawal_ns = 50'000'000;
constexpr uint32_t please_stop_bit = 1u << 5;  // _PY_EVAL_PLEASE_STOP_BIT, pycore_ceval.h
constexpr size_t max_threads_asked = 4096;

Outcome not_applicable(std::string reason, bool hopeless = true) {
    Outcome outcome;
    outcome.hopeless = hopeless;
    outcome.reason = std::move(reason);
    return outcome;
}

ScopedFd memory_file(const char* name, std::span<const std::byte> bytes) {
    ScopedFd file(
        static_cast<int>(syscall(SYS_memfd_create, name, MFD_CLOEXEC | 0x10u)));  // MFD_EXEC
    if (!file) file = ScopedFd(memfd_create(name, MFD_CLOEXEC));
    if (!file ||
        write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        return {};
    return file;
}

std::string our_path(int fd) {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd);
}

// Nothing is bound, and nothing is printed when loading fails: the next way in finds out why. The
// loader wants an object with a name and an origin. It is called by the C code of map() and not by
// a call instruction, which would look for signals as it ends: the handler's exception would be
// raised here and lost, whereas the program's own next instruction raises it where it belongs.
std::string script_text(const std::string& agent_path) {
    return "try:\n"
           " [*map(__import__('_imp').create_dynamic, (type('spec', (), {'name': 'spyglass_agent', "
           "'origin': '" +
           agent_path +
           "'}),))]\n"
           "except Exception: pass\n";
}

std::string why_not_readable_by(pid_t pid) {
    struct stat ours;
    struct stat theirs;
    const std::string process = "/proc/" + std::to_string(pid);
    if (stat("/proc/self/ns/pid", &ours) != 0 ||
        stat((process + "/ns/pid").c_str(), &theirs) != 0 || ours.st_ino != theirs.st_ino) {
        return "the target is in another pid namespace and could not open our script";
    }
    const auto status = read_proc_file(process + "/status");
    if (!status) return "the target cannot be looked at";
    const std::string uid = status_field(*status, "Uid");
    if (atoi(uid.c_str()) != static_cast<int>(geteuid())) {
        return "the target runs as another user and could not open our script";
    }
    if (stat((process + "/root/proc/self").c_str(), &theirs) != 0) {
        return "the target has no /proc and could not open our script";
    }
    return {};
}

// CPython says on the target's standard error that it could not open the script.
constexpr uint64_t descriptors_needed = 4;

bool has_descriptors_left(pid_t pid) {
    const std::string process = "/proc/" + std::to_string(pid);
    rlimit limit{};
    if (prlimit(pid, RLIMIT_NOFILE, nullptr, &limit) != 0) return false;
    const auto status = read_proc_file(process + "/status");
    if (!status) return false;
    // The table's size is an upper bound that costs nothing; there may be very many descriptors.
    const uint64_t table = strtoull(status_field(*status, "FDSize").c_str(), nullptr, 10);
    if (table + descriptors_needed <= limit.rlim_cur) return true;
    uint64_t open = 0;
    std::error_code error;
    for (std::filesystem::directory_iterator each(process + "/fd", error), end;
         !error && each != end; each.increment(error)) {
        ++open;
    }
    return !error && open + descriptors_needed <= limit.rlim_cur;
}

struct Request768 {
    uint64_t pending_flag;
    uint64_t eval_breaker;
};

// Writes the request into every thread state of the main interpreter.
std::vector<Request768> ask_threads(const RemoteMemory& memory, const DebugOffsets& offsets,
                                    uint64_t interpreter, const std::string& path) {
    std::vector<Request768> asked;
    const DebugOffsets::RemoteDebugging& remote = *offsets.remote_debugging;
    auto thread = memory.get<uint64_t>(interpreter + offsets.interpreter_threads_head);
    while (thread && *thread != 0 && asked.size() < max_threads_asked) {
        const uint64_t support = *thread + remote.support;
        const Request768 request{support + remote.pending_call, *thread + remote.eval_breaker};
        auto breaker = memory.get<uint64_t>(request.eval_breaker);
        if (breaker && memory.write(support + remote.script_path, path.c_str(), path.size() + 1) &&
            memory.put(request.pending_flag, int32_t{1}) &&
            memory.put(request.eval_breaker, *breaker | please_stop_bit)) {
            asked.push_back(request);
        }
        thread = memory.get<uint64_t>(*thread + offsets.thread_next);
    }
    return asked;
}

// A thread state may have gone meanwhile, its memory used for something else: the flag is taken
// back only where the request still stands.
void withdraw(const RemoteMemory& memory, const std::vector<Request768>& asked) {
    for (const Request768& each : asked) {
        auto flag = memory.get<int32_t>(each.pending_flag);
        if (flag && *flag == 1) (void)memory.put(each.pending_flag, int32_t{0});
    }
}

std::optional<uint64_t> main_interpreter(const RemoteMemory& memory, const DebugOffsets& offsets,
                                         uint64_t remote_runtime) {
    // The list's head is the newest interpreter; the main one has id 0.
    auto interpreter = memory.get<uint64_t>(remote_runtime + offsets.runtime_interpreters_head);
    for (int i = 0; interpreter && *interpreter != 0 && i < 1024; ++i) {
        auto id = memory.get<int64_t>(*interpreter + offsets.interpreter_id);
        if (id && *id == 0) return *interpreter;
        interpreter = memory.get<uint64_t>(*interpreter + offsets.interpreter_next);
    }
    return std::nullopt;
}

// The agent has begun when its image is mapped and has published our end of its socket pair.
ScopedFd take_published_end(Situation& situation) {
    const auto map = read_memory_map(situation.pid);
    if (!map) return {};
    for (const Mapping& mapping : *map) {
        if (mapping.offset != 0 || mapping.path.compare(0, 21, "/memfd:spyglass-agent") != 0)
            continue;
        auto image = ElfImage::read(situation.memory, mapping.begin);
        if (!image) continue;
        const auto address = image->symbol(guest_image_symbol);
        if (!address) continue;
        auto fd = situation.memory.get<int32_t>(*address + offsetof(GuestImage, peer_fd));
        if (!fd || *fd < 0) continue;
        return ScopedFd(static_cast<int>(syscall(SYS_pidfd_getfd, situation.pid_fd, *fd, 0)));
    }
    return {};
}

ScopedFd await_published_end(Situation& situation, uint64_t patience) {
    const uint64_t deadline = monotonic_ns() + patience;
    for (;;) {
        ScopedFd control = take_published_end(situation);
        if (control || monotonic_ns() >= deadline) return control;
        const timespec a_moment{0, 200'000};
        nanosleep(&a_moment, nullptr);
    }
}

}  // namespace

Outcome enter_by_remote_debugging(Situation& situation) {
    const Runtime& runtime = situation.interpreter.runtime;
    const auto offsets = read_debug_offsets(situation.memory, runtime.remote_runtime);
    if (!offsets || !offsets->remote_debugging)
        return not_applicable("CPython has it from 3.14 on");
    if (situation.loader.reuses_guest()) return not_applicable("an agent is mapped already");
    const auto interpreter = main_interpreter(situation.memory, *offsets, runtime.remote_runtime);
    if (!interpreter) return not_applicable("the main interpreter was not found");
    auto enabled = situation.memory.get<int32_t>(*interpreter + offsets->remote_debugging->enabled);
    if (!enabled || *enabled != 1) return not_applicable("it is switched off in the target");
    if (const std::string why = why_not_readable_by(situation.pid); !why.empty())
        return not_applicable(why);
    if (!has_descriptors_left(situation.pid))
        return not_applicable("the target has no descriptors left to open our script");
    if (whereabouts(situation.pid, situation.pid).kind == WhereBouts::Kind::in_call) {
        return not_applicable("the main thread waits in a system call and would not serve it",
                              false);
    }

    const ScopedFd agent = memory_file("spyglass-agent", situation.request.guest_bytes);
    if (!agent) return not_applicable("no memory file could be made here");
    const std::string text = script_text(our_path(agent.get()));
    const ScopedFd script = memory_file("spyglass-script", std::as_bytes(std::span(text)));
    if (!script) return not_applicable("no memory file could be made here");
    const std::string path = our_path(script.get());
    if (path.size() >= offsets->remote_debugging->script_path_bytes)
        return not_applicable("path too long");

    const auto asked = ask_threads(situation.memory, *offsets, *interpreter, path);
    Outcome outcome;
    outcome.hopeless = true;
    outcome.control = await_published_end(situation, patience_ns);
    withdraw(situation.memory, asked);
    // Served at the last moment: the agent is there and waits for us.
    if (!outcome.control)
        outcome.control = await_published_end(situation, patience_after_withdrawal_ns);
    outcome.entered = static_cast<bool>(outcome.control);
    outcome.reason = outcome.entered ? "the interpreter served the request"
                                     : "the request was not served in time";
    return outcome;
}

}  // namespace spyglass::attach

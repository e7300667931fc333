// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/target.h"

#include <elf.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "attach/arch/arch.h"
#include "attach/debug_offsets.h"
#include "attach/proc_file.h"
#include "attach/process_tree.h"
#include "attach/refusals.h"
#include "attach/runtime.h"

namespace spyglass::attach {

namespace {

constexpr uint32_t oldest_version = 0x03080000;
constexpr uint32_t after_newest_version = 0x03100000;

std::string process(pid_t pid) {
    return "process " + std::to_string(pid);
}

bool have_ptrace_capability() {
    const auto status = read_proc_file("/proc/self/status");
    if (!status) return false;
    const uint64_t effective = strtoull(status_field(*status, "CapEff").c_str(), nullptr, 16);
    return (effective >> CAP_SYS_PTRACE & 1) != 0;
}

int ptrace_scope() {
    const auto text = read_proc_file("/proc/sys/kernel/yama/ptrace_scope");
    return text ? atoi(text->c_str()) : 0;  // no Yama: classic rules
}

bool is_descendant(pid_t pid, pid_t ancestor) {
    for (int depth = 0; pid > 1 && depth < 1024; ++depth) {
        const auto status = read_proc_file("/proc/" + std::to_string(pid) + "/status");
        if (!status) return false;
        pid = atoi(status_field(*status, "PPid").c_str());
        if (pid == ancestor) return true;
    }
    return false;
}

// Collects checks until one fails that the next depend on.
class Examination {
  public:
    explicit Examination(pid_t pid) : pid_(pid), directory_("/proc/" + std::to_string(pid)) {}

    std::vector<Check> run() {
        if (existence() && !(permission() && state() && interpreter()) && has_ended(pid_) &&
            checks_.back().id != "zombie") {
            checks_.pop_back();  // found in memory that was going away
            fail("target-exited", process(pid_) + " has ended");
        }
        return std::move(checks_);
    }

  private:
    bool pass(std::string id, std::string finding) {
        checks_.push_back({std::move(id), true, std::move(finding), {}});
        return true;
    }
    bool fail(std::string id, std::string finding) {
        std::string remedy(remedy_for(id));
        checks_.push_back({std::move(id), false, std::move(finding), std::move(remedy)});
        return false;
    }

    bool existence() {
        auto status = read_proc_file(directory_ + "/status");
        if (!status) return fail("no-such-process", "there is no process " + std::to_string(pid_));
        status_ = std::move(*status);
        const std::string leader = status_field(status_, "Tgid");
        if (leader != std::to_string(pid_)) {
            return fail("not-a-leader", std::to_string(pid_) + " is a thread of process " + leader);
        }
        const char letter = thread_state(pid_, pid_);
        if (letter == 'Z' || letter == 'X')
            return fail("zombie", process(pid_) + " has ended already");
        return pass("exists", process(pid_) + " is " + status_field(status_, "Name"));
    }

    bool permission() {
        const int tracer = atoi(status_field(status_, "TracerPid").c_str());
        if (tracer != 0) {
            const auto name = read_proc_file("/proc/" + std::to_string(tracer) + "/comm");
            std::string who = "process " + std::to_string(tracer);
            if (name && !name->empty()) who += " (" + name->substr(0, name->size() - 1) + ")";
            return fail("already-debugged", process(pid_) + " is traced by " + who);
        }
        if (have_ptrace_capability()) return readable("this process may trace any other here");
        const auto uids = status_field(status_, "Uid");
        if (geteuid() == 0) {
            return fail("no-capability",
                        "this process is root without the capability CAP_SYS_PTRACE");
        }
        if (atoi(uids.c_str()) != static_cast<int>(getuid())) {
            return fail("other-user",
                        process(pid_) + " belongs to user " + std::to_string(atoi(uids.c_str())));
        }
        struct stat owner;
        if (stat((directory_ + "/mem").c_str(), &owner) == 0 && owner.st_uid != getuid()) {
            return fail("not-dumpable", process(pid_) + " is protected from its own user");
        }
        const int scope = ptrace_scope();
        if (scope == 3) return fail("ptrace-disabled", "tracing is switched off on this machine");
        if (scope == 2)
            return fail("ptrace-scope", "kernel.yama.ptrace_scope is 2: only root may trace");
        if (scope == 1 && !is_descendant(pid_, getpid()) && !can_read()) {
            return fail("ptrace-scope", "kernel.yama.ptrace_scope is 1 and " + process(pid_) +
                                            " is not a child of this process");
        }
        return readable("it belongs to this user");
    }

    // What the rules cannot tell (seccomp, security modules): try.
    bool readable(std::string why) {
        if (!can_read()) {
            return fail("permission", "the kernel refuses to read the memory of " + process(pid_) +
                                          " (a seccomp filter or a security module)");
        }
        return pass("permission", std::move(why));
    }

    bool can_read() const {
        const auto map = read_memory_map(pid_);
        if (!map) return false;
        const RemoteMemory memory(pid_);
        for (const Mapping& mapping : *map) {
            char byte;
            if (mapping.readable && mapping.path != "[vvar]" &&
                memory.read(mapping.begin, &byte, 1))
                return true;
        }
        return false;
    }

    bool state() {
        if (thread_state(pid_, pid_) == 'T') return fail("stopped", process(pid_) + " is stopped");
        const std::string threads = status_field(status_, "Threads");
        return pass("running",
                    process(pid_) + " has " + threads +
                        (threads == "1" ? " thread, not stopped" : " threads, none stopped"));
    }

    bool interpreter() {
        const auto map = read_memory_map(pid_);
        if (!map) return fail("target-exited", process(pid_) + " has ended");
        const RemoteMemory memory(pid_);
        for (const Mapping* start : image_starts(memory, *map)) {
            const auto image = ElfImage::read(memory, start->begin);
            if (!image && image.error().code() == "architecture") {
                return fail("architecture", process(pid_) + " is a 32-bit program");
            }
            if (image && image->machine() != arch::elf_machine) {
                return fail("architecture", process(pid_) + " is a program for another processor");
            }
        }
        const auto found = find_interpreter(memory, *map);
        if (!found || !*found) return not_python();
        const Runtime& runtime = (*found)->runtime;
        const std::string version = version_text(runtime.version_hex);
        if (runtime.version_hex < oldest_version || runtime.version_hex >= after_newest_version) {
            return fail("python-version", process(pid_) + " runs CPython " + version);
        }
        if (runtime.free_threaded) {
            return fail("free-threaded",
                        process(pid_) + " runs a free-threaded CPython " + version);
        }
        if (!interpreter_is_live(memory, runtime)) {
            return fail("not-initialised",
                        "the interpreter of " + process(pid_) + " is starting or ending");
        }
        return pass("python", "CPython " + version + " in " + runtime.image_path);
    }

    bool not_python() {
        std::string finding =
            process(pid_) + " (" + status_field(status_, "Name") + ") is not a Python process";
        const auto children = python_descendants(pid_);
        if (!children.empty()) {
            finding += "; its Python descendants:";
            for (const pid_t child : children) finding += " " + std::to_string(child);
        }
        return fail("not-python", std::move(finding));
    }

    pid_t pid_;
    std::string directory_;
    std::string status_;
    std::vector<Check> checks_;
};

}  // namespace

Result<ScopedFd> open_target(pid_t pid) {
    const long fd = syscall(SYS_pidfd_open, pid, 0);
    if (fd >= 0) return ScopedFd(static_cast<int>(fd));
    if (errno == ESRCH)
        return refusal("no-such-process", "there is no process " + std::to_string(pid));
    // EINVAL: a thread's id; `examine` says whose.
    if (errno == EINVAL || errno == ENOENT) {
        for (const Check& check : examine(pid)) {
            if (!check.passed) return refusal(check.id, check.finding);
        }
    }
    return Error::from_errno("pidfd_open", errno);
}

std::vector<Check> examine(pid_t pid) {
    return Examination(pid).run();
}

Result<Runtime> find_runtime(pid_t pid) {
    for (const Check& check : examine(pid)) {
        if (!check.passed) return refusal(check.id, check.finding);
    }
    const auto map = read_memory_map(pid);
    if (!map) return map.error();
    const auto found = find_interpreter(RemoteMemory(pid), *map);
    if (!found) return found.error();
    if (!*found) return refusal("not-python", process(pid) + " is not a Python process");
    return (*found)->runtime;
}

}  // namespace spyglass::attach

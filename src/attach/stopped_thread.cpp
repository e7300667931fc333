// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/stopped_thread.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "base/clock.h"

namespace spyglass::attach {

namespace {

Error thread_gone() {
    return Error("the thread ended").code("thread-exited");
}

Error ptrace_error(const char* what, int error) {
    if (error == ESRCH) return thread_gone();
    return Error::from_errno(what, error).code(error == EPERM ? "permission" : "ptrace");
}

constexpr int call_stop = SIGTRAP | 0x80;  // PTRACE_O_TRACESYSGOOD

}  // namespace

StoppedThread::StoppedThread(StoppedThread&& other) noexcept
    : pid_(other.pid_),
      tid_(other.tid_),
      held_(std::exchange(other.held_, false)),
      stopped_at_ns_(other.stopped_at_ns_),
      released_at_ns_(other.released_at_ns_),
      registers_(other.registers_) {}

Result<StoppedThread> StoppedThread::stop(pid_t pid, pid_t tid) {
    StoppedThread thread(pid, tid);
    if (ptrace(PTRACE_SEIZE, tid, nullptr, PTRACE_O_TRACESYSGOOD) != 0) {
        return ptrace_error("PTRACE_SEIZE", errno);
    }
    thread.held_ = true;
    thread.stopped_at_ns_ = monotonic_ns();
    if (ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr) != 0)
        return ptrace_error("PTRACE_INTERRUPT", errno);
    // A signal may stop the thread before our interruption does: it is passed on, and the
    // interruption follows at once, at the latest on the handler's first instruction.
    for (;;) {
        auto status = thread.wait_for_stop();
        if (!status) return std::move(status).error();
        const int signal = WSTOPSIG(*status);
        if (*status >> 16 == PTRACE_EVENT_STOP) {
            if (signal == SIGTRAP) break;
            return Error("the target is stopped by a signal").code("stopped");
        }
        if (ptrace(PTRACE_CONT, tid, nullptr, static_cast<long>(signal)) != 0) {
            return ptrace_error("PTRACE_CONT", errno);
        }
    }
    iovec data{thread.registers_.bytes, arch::Registers::max_bytes};
    if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &data) != 0) {
        return ptrace_error("PTRACE_GETREGSET", errno);
    }
    thread.registers_.used = data.iov_len;
    return thread;
}

Result<int> StoppedThread::wait_for_stop() {
    for (;;) {
        int status = 0;
        const pid_t changed = waitpid(tid_, &status, __WALL);
        if (changed < 0 && errno == EINTR) continue;
        if (changed < 0 || WIFEXITED(status) || WIFSIGNALED(status)) {
            held_ = false;
            return thread_gone();
        }
        if (WIFSTOPPED(status)) return status;
    }
}

Result<uint64_t> StoppedThread::signal_mask() const {
    uint64_t mask = 0;
    if (ptrace(PTRACE_GETSIGMASK, tid_, sizeof mask, &mask) != 0)
        return ptrace_error("PTRACE_GETSIGMASK", errno);
    return mask;
}

Result<void> StoppedThread::set_signal_mask(uint64_t mask) {
    if (ptrace(PTRACE_SETSIGMASK, tid_, sizeof mask, &mask) != 0)
        return ptrace_error("PTRACE_SETSIGMASK", errno);
    return {};
}

Result<std::vector<unsigned char>> StoppedThread::extended_state() const {
    std::vector<unsigned char> state(16384);
    iovec data{state.data(), state.size()};
    if (ptrace(PTRACE_GETREGSET, tid_, arch::extended_state_note, &data) != 0)
        return ptrace_error("PTRACE_GETREGSET", errno);
    state.resize(data.iov_len);
    return state;
}

Result<void> StoppedThread::set_registers(const arch::Registers& registers) {
    iovec data{const_cast<unsigned char*>(registers.bytes), registers.used};
    if (ptrace(PTRACE_SETREGSET, tid_, NT_PRSTATUS, &data) != 0)
        return ptrace_error("PTRACE_SETREGSET", errno);
    registers_ = registers;
    return {};
}

Result<int64_t> StoppedThread::run_call() {
    long pass_on = 0;  // only SIGKILL and SIGSTOP get here: the caller has blocked the others
    for (int call_stops = 0; call_stops < 2;) {
        if (ptrace(PTRACE_SYSCALL, tid_, nullptr, pass_on) != 0)
            return ptrace_error("PTRACE_SYSCALL", errno);
        auto status = wait_for_stop();
        if (!status) return std::move(status).error();
        pass_on = 0;
        if (*status >> 16 == PTRACE_EVENT_STOP) continue;
        if (WSTOPSIG(*status) == call_stop) {
            ++call_stops;
        } else {
            pass_on = WSTOPSIG(*status);
        }
    }
    iovec data{registers_.bytes, arch::Registers::max_bytes};
    if (ptrace(PTRACE_GETREGSET, tid_, NT_PRSTATUS, &data) != 0)
        return ptrace_error("PTRACE_GETREGSET", errno);
    return arch::call_result(registers_);
}

void StoppedThread::release() {
    if (!held_) return;
    held_ = false;
    ptrace(PTRACE_DETACH, tid_, nullptr, nullptr);
    released_at_ns_ = monotonic_ns();
}

uint32_t StoppedThread::held_us() const {
    const uint64_t end = held_ ? monotonic_ns() : released_at_ns_;
    return static_cast<uint32_t>((end - stopped_at_ns_) / 1000);
}

}  // namespace spyglass::attach

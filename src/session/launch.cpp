// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "session/launch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace spyglass::session {

namespace {

constexpr int command_not_found = 127;

ScopedFd file_of(std::span<const std::byte> bytes) {
    constexpr unsigned executable = 0x10;  // MFD_EXEC, Linux 6.3
    ScopedFd file(
        static_cast<int>(syscall(SYS_memfd_create, "spyglass-agent", MFD_CLOEXEC | executable)));
    if (!file) file = ScopedFd(memfd_create("spyglass-agent", MFD_CLOEXEC));
    if (!file ||
        write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        return {};
    return file;
}

void set_environment(const std::string& agent_path, int control_fd) {
    std::string preload = agent_path;
    if (const char* before = getenv("LD_PRELOAD")) {
        setenv("SPYGLASS_PRELOAD_BEFORE", before, 1);
        preload += std::string(":") + before;
    }
    setenv("LD_PRELOAD", preload.c_str(), 1);
    setenv("SPYGLASS_CONTROL_FD", std::to_string(control_fd).c_str(), 1);
}

}  // namespace

Result<Launched> launch(const std::vector<std::string>& command, std::span<const std::byte> agent,
                        const Signals& signals) {
    Launched launched;
    launched.agent_file = file_of(agent);
    if (!launched.agent_file) return Error::from_errno("write the agent to a memory file", errno);
    int sockets[2];
    int failure[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return Error::from_errno("socketpair", errno);
    launched.control = ScopedFd(sockets[0]);
    const ScopedFd theirs(sockets[1]);
    if (pipe2(failure, O_CLOEXEC) != 0) return Error::from_errno("pipe", errno);
    const ScopedFd failure_read(failure[0]);
    ScopedFd failure_write(failure[1]);
    const std::string agent_path =
        "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(launched.agent_file.get());

    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    launched.pid = fork();
    if (launched.pid < 0) return Error::from_errno("fork", errno);
    if (launched.pid == 0) {
        signals.restore_in_child();
        fcntl(theirs.get(), F_SETFD, 0);
        set_environment(agent_path, theirs.get());
        execvp(arguments[0], arguments.data());
        const int error = errno;
        [[maybe_unused]] const ssize_t count = write(failure_write.get(), &error, sizeof error);
        _exit(command_not_found);
    }
    failure_write.reset();
    int error = 0;
    if (read(failure_read.get(), &error, sizeof error) == sizeof error) {
        return Error::from_errno("run " + command[0], error).code("command");
    }
    launched.pid_fd = ScopedFd(static_cast<int>(syscall(SYS_pidfd_open, launched.pid, 0)));
    return launched;
}

Result<std::vector<std::string>> split_words(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == '\'') {
            if (c == '\'')
                quote = 0;
            else
                word += c;
        } else if (c == '\\') {
            if (i + 1 == text.size()) return Error("the command ends with a backslash");
            const char next = text[i + 1];
            // Inside double quotes a backslash is itself except before these (POSIX 2.2.3).
            const bool escapes =
                quote == 0 || next == '"' || next == '\\' || next == '$' || next == '`';
            if (!escapes) word += c;
            word += next;
            ++i;
            in_word = true;
        } else if (quote == '"') {
            if (c == '"')
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            in_word = true;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (in_word) words.push_back(std::move(word));
            word.clear();
            in_word = false;
        } else {
            word += c;
            in_word = true;
        }
    }
    if (quote != 0) return Error(std::string("the command has an unbalanced ") + quote);
    if (in_word) words.push_back(std::move(word));
    return words;
}

}  // namespace spyglass::session

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/remote_memory.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/scoped_fd.h"

namespace spyglass::attach {

namespace {

Error memory_error(const char* what, uint64_t remote, size_t bytes, int error) {
    char text[96];
    snprintf(text, sizeof text, "%s %zu bytes of the target's memory at %#lx", what, bytes,
             static_cast<unsigned long>(remote));
    const char* code = error == ESRCH ? "target-exited" : error == EPERM ? "permission" : "memory";
    return Error::from_errno(text, error).code(code);
}

}  // namespace

size_t RemoteMemory::read_some(uint64_t remote, void* to, size_t bytes) const {
    iovec local{to, bytes};
    iovec there{reinterpret_cast<void*>(remote), bytes};  // NOLINT: an address in the target
    const ssize_t count = process_vm_readv(pid_, &local, 1, &there, 1, 0);
    return count < 0 ? 0 : static_cast<size_t>(count);
}

Result<void> RemoteMemory::read(uint64_t remote, void* to, size_t bytes) const {
    errno = EFAULT;
    if (read_some(remote, to, bytes) == bytes) return {};
    return memory_error("read", remote, bytes, errno);
}

Result<void> RemoteMemory::write(uint64_t remote, const void* from, size_t bytes) const {
    iovec local{const_cast<void*>(from), bytes};
    iovec there{reinterpret_cast<void*>(remote), bytes};  // NOLINT: an address in the target
    errno = EFAULT;
    if (process_vm_writev(pid_, &local, 1, &there, 1, 0) == static_cast<ssize_t>(bytes)) return {};
    return memory_error("write", remote, bytes, errno);
}

Result<void> RemoteMemory::write_forced(uint64_t remote, const void* from, size_t bytes) const {
    const std::string path = "/proc/" + std::to_string(pid_) + "/mem";
    const ScopedFd memory(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!memory) return Error::from_errno("open " + path, errno);
    if (pwrite(memory.get(), from, bytes, static_cast<off_t>(remote)) ==
        static_cast<ssize_t>(bytes)) {
        return {};
    }
    return memory_error("write", remote, bytes, errno);
}

}  // namespace spyglass::attach

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/loader.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "attach/loader_blob/loader_bytes.h"
#include "attach/proc_file.h"
#include "attach/refusals.h"
#include "base/clock.h"
#include "base/guest_image.h"

namespace spyglass::attach {

namespace {

constexpr uint64_t all_signals = ~uint64_t{0};
constexpr std::string_view guest_mapping = "/memfd:spyglass-agent";
constexpr std::string_view needed[] = {"pthread_create", "pthread_detach", "__errno_location",
                                       "dlopen",         "dlsym",          "dlerror"};

void pause_briefly() {
    const timespec a_moment{0, 100'000};
    nanosleep(&a_moment, nullptr);
}

int take_descriptor(int pid_fd, int remote_fd) {
    return static_cast<int>(syscall(SYS_pidfd_getfd, pid_fd, remote_fd, 0));
}

Result<void> write_all(int fd, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(fd, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0)
            return Error::from_errno("write the agent into the target's memory file", errno);
        bytes = bytes.subspan(static_cast<size_t>(count));
    }
    return {};
}

// One byte: go. With it a descriptor of the target's /proc/PID/fd, for a target that has no /proc.
Result<void> send_word(int socket, int directory) {
    char byte = 1;
    iovec data{&byte, 1};
    alignas(cmsghdr) unsigned char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    if (directory >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &directory, sizeof directory);
    }
    if (sendmsg(socket, &message, MSG_NOSIGNAL) == 1) return {};
    return Error::from_errno("send to the loader", errno).code("target-exited");
}

}  // namespace

std::string build_id_of(std::span<const std::byte> elf_file) {
    Elf64_Ehdr header;
    if (elf_file.size() < sizeof header) return {};
    memcpy(&header, elf_file.data(), sizeof header);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        const size_t at = header.e_phoff + i * sizeof segment;
        if (at + sizeof segment > elf_file.size()) return {};
        memcpy(&segment, elf_file.data() + at, sizeof segment);
        if (segment.p_type != PT_NOTE || segment.p_offset + segment.p_filesz > elf_file.size())
            continue;
        size_t note_at = segment.p_offset;
        const size_t end = segment.p_offset + segment.p_filesz;
        while (note_at + sizeof(Elf64_Nhdr) <= end) {
            Elf64_Nhdr note;
            memcpy(&note, elf_file.data() + note_at, sizeof note);
            const size_t text = note_at + sizeof note + ((note.n_namesz + 3u) & ~3u);
            if (text + note.n_descsz > end) break;
            if (note.n_type == NT_GNU_BUILD_ID) {
                std::string id;
                for (size_t j = 0; j < note.n_descsz; ++j) {
                    constexpr char digits[] = "0123456789abcdef";
                    const auto byte = static_cast<unsigned char>(elf_file[text + j]);
                    id += digits[byte >> 4];
                    id += digits[byte & 15];
                }
                return id;
            }
            note_at = text + ((note.n_descsz + 3u) & ~3u);
        }
    }
    return {};
}

Result<Loader> Loader::prepare(pid_t pid, int pid_fd, const std::vector<Mapping>& map,
                               const Runtime& runtime, std::span<const std::byte> guest_bytes) {
    Loader loader(pid, pid_fd);
    loader.runtime_ = runtime.remote_runtime;
    loader.guest_bytes_ = guest_bytes;
    if (auto done = loader.find_functions(map); !done) return std::move(done).error();
    if (auto done = loader.find_inert_guest(map); !done) return std::move(done).error();
    return loader;
}

uint64_t Loader::function(std::string_view name) const {
    for (const Function& each : functions_) {
        if (each.name == name) return each.address;
    }
    return 0;
}

// dlopen and the threads moved into libc.so.6 with glibc 2.34; before, they had files of their own.
Result<void> Loader::find_functions(const std::vector<Mapping>& map) {
    for (const Mapping* start : image_starts(memory_, map)) {
        auto image = ElfImage::read(memory_, start->begin);
        if (!image) continue;
        const std::string& name = image->soname();
        const bool is_libc = name == "libc.so.6";
        if (!is_libc && name != "libpthread.so.0" && name != "libdl.so.2") continue;
        for (const std::string_view wanted : needed) {
            if (function(wanted) != 0) continue;
            if (const auto address = image->symbol(wanted))
                functions_.push_back({wanted, *address});
        }
        if (!is_libc) continue;
        for (const ElfImage::Range& segment : image->segments()) {
            if (!segment.executable) continue;
            std::vector<unsigned char> code(segment.end - segment.begin);
            code.resize(memory_.read_some(segment.begin, code.data(), code.size()));
            if (const auto at = arch::find_system_call(code))
                gadgets_.system_call = segment.begin + *at;
            if (const auto at = arch::find_signal_return(code))
                gadgets_.signal_return = segment.begin + *at;
        }
    }
    for (const std::string_view wanted : needed) {
        if (function(wanted) != 0) continue;
        return refusal("libc", "the target's C library has no function " + std::string(wanted));
    }
    if (gadgets_.system_call == 0 || gadgets_.signal_return == 0) {
        return refusal("libc", "the target's C library is not laid out as the GNU C library is");
    }
    return {};
}

Result<void> Loader::find_inert_guest(const std::vector<Mapping>& map) {
    const std::string wanted_id = build_id_of(guest_bytes_);
    for (const Mapping& mapping : map) {
        if (mapping.offset != 0 ||
            mapping.path.compare(0, guest_mapping.size(), guest_mapping) != 0)
            continue;
        auto image = ElfImage::read(memory_, mapping.begin);
        if (!image) continue;
        const auto address = image->symbol(guest_image_symbol);
        if (!address) continue;
        auto untrusted_state = memory_.get<uint32_t>(*address + offsetof(GuestImage, state));
        const uint64_t patience_end = monotonic_ns() + 800'000'000;
        // A session whose tracer was killed goes quiet within a second: wait for that.
        while (untrusted_state && *untrusted_state != 0 && monotonic_ns() < patience_end) {
            pause_briefly();
            untrusted_state = memory_.get<uint32_t>(*address + offsetof(GuestImage, state));
        }
        if (!untrusted_state) return std::move(untrusted_state).error();
        if (*untrusted_state != 0)
            return refusal("already-traced", "another spyglass is tracing the target");
        if (image->build_id().empty() || image->build_id() != wanted_id) continue;
        auto magic = memory_.get<uint64_t>(*address);
        auto region = memory_.get<uint64_t>(*address + offsetof(GuestImage, loader_region));
        if (!magic || *magic != GuestImage::expected_magic || !region) continue;
        remote_image_ = *address;
        const Mapping* region_mapping = mapping_of(map, *region);
        if (*region != 0 && region_mapping && region_mapping->executable) region_ = *region;
    }
    return {};
}

// Between the look at its memory and the stop the process may have executed another program; every
// address would be wrong there. What we are about to jump to must be what we found.
Result<void> Loader::check_unchanged() const {
    unsigned char code[16];
    const bool gadgets_stand = memory_.read(gadgets_.system_call, code, sizeof code) &&
                               arch::find_system_call(code) == 0 &&
                               memory_.read(gadgets_.signal_return, code, sizeof code) &&
                               arch::find_signal_return(code) == 0;
    std::vector<std::byte> loader(loader_code().size());
    const bool loader_stands =
        region_ == 0 || (memory_.read(region_, loader.data(), loader.size()) &&
                         std::ranges::equal(loader, loader_code()));
    if (gadgets_stand && loader_stands && memory_.get<uint64_t>(runtime_)) return {};
    return refusal("target-exited", "the target executed another program");
}

Result<void> Loader::map_region(StoppedThread& thread, const arch::Registers& resume,
                                uint64_t mask) {
    auto state = thread.extended_state();
    if (!state) return std::move(state).error();
    const uint64_t map_arguments[] = {
        0, LOADER_REGION_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, ~0ull, 0};
    const arch::RescuedCall call =
        arch::rescued_call(resume, *state, mask, gadgets_, SYS_mmap, map_arguments);
    if (auto done = memory_.write(call.remote_frame, call.frame.data(), call.frame.size()); !done)
        return done;
    if (auto done = thread.set_registers(call.registers); !done) return done;
    if (auto done = thread.set_signal_mask(all_signals); !done) return done;
    auto region = thread.run_call();
    if (!region) return std::move(region).error();
    if (*region < 0 && *region > -4096) {
        return refusal(
            "load-failed",
            Error::from_errno("map memory in the target", static_cast<int>(-*region)).message());
    }
    // Never writable and executable at once: the code is written through /proc/PID/mem.
    const auto address = static_cast<uint64_t>(*region);
    const uint64_t protect_arguments[] = {address + LOADER_CODE_BYTES,
                                          LOADER_REGION_BYTES - LOADER_CODE_BYTES,
                                          PROT_READ | PROT_WRITE};
    if (auto done =
            thread.set_registers(arch::next_call(call, gadgets_, SYS_mprotect, protect_arguments));
        !done) {
        return done;
    }
    auto protection = thread.run_call();
    if (!protection) return std::move(protection).error();
    if (*protection != 0) {
        return refusal("load-failed", Error::from_errno("protect memory in the target",
                                                        static_cast<int>(-*protection))
                                          .message());
    }
    const std::span<const std::byte> code = loader_code();
    if (auto done = memory_.write_forced(address, code.data(), code.size()); !done) return done;
    region_ = address;
    return {};
}

// The block holds the registers of the thread that was borrowed last; until that thread is out of
// the code, they may not be overwritten.
Result<void> Loader::previous_thread_left(pid_t tid) {
    auto left = memory_.get<uint32_t>(remote_block() + offsetof(LoaderBlock, left));
    auto previous = memory_.get<int32_t>(remote_block() + offsetof(LoaderBlock, borrowed_thread));
    if (!left || !previous) return Error("read the loader's block").code("target-exited");
    if (*previous == 0) return {};
    if (*left == 0) return Error("a borrowed thread is still inside the loader").code("busy");
    if (*previous == tid) return {};  // it stands before us, stopped, and its counter was looked at
    auto thread = StoppedThread::stop(pid_, *previous);
    if (!thread) return {};  // it has ended since
    const uint64_t counter = arch::program_counter(thread->registers());
    thread->release();
    if (counter >= region_ && counter < region_ + LOADER_CODE_BYTES) {
        return Error("a borrowed thread is still inside the loader").code("busy");
    }
    return {};
}

Result<void> Loader::borrow(StoppedThread& thread, pid_t tid, bool wait_is_endless,
                            uint64_t remote_call) {
    if (auto same = check_unchanged(); !same) return same;
    const arch::Registers resume = arch::resume_point(thread.registers(), wait_is_endless);
    auto mask = thread.signal_mask();
    if (!mask) return std::move(mask).error();
    if (region_ == 0) {
        auto mapped = map_region(thread, resume, *mask);
        if (!mapped) {
            // Back to what it was doing, whatever failed. Errors here mean that it is gone.
            (void)thread.set_registers(resume);
            (void)thread.set_signal_mask(*mask);
            return mapped;
        }
    } else if (auto left = previous_thread_left(tid); !left) {
        return left;
    }

    LoaderBlock block{};
    const arch::Registers entry = arch::enter_loader(resume, region_ + loader_entry_offset, block);
    block.signal_mask = *mask;
    block.call = remote_call;
    block.start = region_ + loader_start_offset;
    block.pthread_create = function("pthread_create");
    block.pthread_detach = function("pthread_detach");
    block.errno_location = function("__errno_location");
    block.dlopen = function("dlopen");
    block.dlsym = function("dlsym");
    block.dlerror = function("dlerror");
    block.runtime = runtime_;
    block.image = remote_image_;
    block.region = region_;
    block.region_bytes = LOADER_REGION_BYTES;
    if (ticket_ == 0) ticket_ = monotonic_ns();
    block.ticket = ticket_;
    // A second thread on the same errand must not undo what the first has begun.
    const size_t first_part = offsetof(LoaderBlock, state);
    if (auto done = memory_.write(remote_block(), &block, first_part); !done) return done;
    if (!block_written_) {
        constexpr size_t xsave_header_bytes = 1024;
        const size_t rest = offsetof(LoaderBlock, xsave) + xsave_header_bytes - first_part;
        if (auto done = memory_.write(remote_block() + first_part,
                                      reinterpret_cast<const char*>(&block) + first_part, rest);
            !done) {
            return done;
        }
        block_written_ = true;
    }
    if (auto done = memory_.put(remote_block() + offsetof(LoaderBlock, left), uint32_t{0}); !done)
        return done;
    if (auto done =
            memory_.put(remote_block() + offsetof(LoaderBlock, borrowed_thread), int32_t{tid});
        !done) {
        return done;
    }
    // Blocked until the loader's end, which sets the thread's own mask again.
    if (auto done = thread.set_signal_mask(all_signals); !done) return done;
    if (auto done = thread.set_registers(entry); !done) return done;
    thread.release();
    return {};
}

Error Loader::describe_failure(const LoaderBlock& untrusted_block) const {
    const auto reason = [&](const char* what) {
        return untrusted_block.error != 0 ? Error::from_errno(what, untrusted_block.error)
                                          : Error(what);
    };
    const auto load_failed = [&](const Error& error) {
        return refusal("load-failed", error.message());
    };
    switch (untrusted_block.failure) {
        case LOADER_NO_THREAD:
            return load_failed(reason("the target could not start a thread"));
        case LOADER_NO_MEMFD:
            return load_failed(reason("the target could not make a memory file"));
        case LOADER_NO_SOCKET:
            return load_failed(reason("the target could not make a socket pair"));
        case LOADER_DLOPEN: {
            const std::string text(
                untrusted_block.message,
                strnlen(untrusted_block.message, sizeof untrusted_block.message));
            return load_failed(Error("the target's dynamic loader: " + text));
        }
        case LOADER_BUSY:
            return refusal("already-traced", "another spyglass is tracing the target");
        default:
            return load_failed(Error("the loader gave up"));
    }
}

Loader::Progress Loader::look() {
    if (region_ == 0 || !block_written_) return Progress::nothing;
    LoaderBlock block;
    if (auto done = memory_.read(remote_block(), &block, offsetof(LoaderBlock, xsave)); !done) {
        failure_ = refusal("target-exited", "the target exited");
        return Progress::failed;
    }
    if (block.state == LOADER_DESCRIPTORS) return Progress::arrived;
    if (block.state != LOADER_FAILED) return Progress::nothing;
    failure_ = describe_failure(block);
    return Progress::failed;
}

Result<ScopedFd> Loader::hand_over(uint64_t deadline_ns) {
    auto memfd = memory_.get<int32_t>(remote_block() + offsetof(LoaderBlock, memfd));
    auto peer = memory_.get<int32_t>(remote_block() + offsetof(LoaderBlock, peer_socket));
    if (!memfd || !peer) return refusal("target-exited", "the target exited");
    ScopedFd control(take_descriptor(pid_fd_, *peer));
    if (!control)
        return Error::from_errno("take the control socket over", errno).code("target-exited");
    if (remote_image_ == 0) {
        const ScopedFd file(take_descriptor(pid_fd_, *memfd));
        if (!file)
            return Error::from_errno("take the memory file over", errno).code("target-exited");
        if (auto done = write_all(file.get(), guest_bytes_); !done) return std::move(done).error();
    }
    const std::string descriptors = "/proc/" + std::to_string(pid_) + "/fd";
    const ScopedFd directory(open(descriptors.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (auto done = send_word(control.get(), directory.get()); !done)
        return std::move(done).error();
    while (monotonic_ns() < deadline_ns) {
        LoaderBlock block;
        if (!memory_.read(remote_block(), &block, offsetof(LoaderBlock, xsave))) {
            return refusal("target-exited", "the target exited");
        }
        if (block.state == LOADER_RUNNING) return control;
        if (block.state == LOADER_FAILED) return describe_failure(block);
        if (has_ended(pid_)) return refusal("target-exited", "the target exited");
        pause_briefly();
    }
    return refusal("no-safe-point", "the target took too long to load the agent");
}

void Loader::revoke() {
    if (region_ != 0 && block_written_) {
        (void)memory_.put(remote_block() + offsetof(LoaderBlock, claimed), uint32_t{1});
    }
}

}  // namespace spyglass::attach

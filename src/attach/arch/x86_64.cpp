// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "attach/arch/arch.h"

#if defined(__x86_64__)

#include <elf.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/user.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace spyglass::attach::arch {

const uint16_t elf_machine = EM_X86_64;
const int extended_state_note = NT_X86_XSTATE;

namespace {

// Kernel-internal results of a call that a stop interrupted (include/linux/errno.h).
constexpr long restart_sys = -512;
constexpr long restart_no_intr = -513;
constexpr long restart_no_hand = -514;
constexpr long restart_block = -516;

constexpr uint64_t red_zone_bytes = 128;

// linux/arch/x86/include/uapi/asm/sigcontext.h: marks that tell the kernel that a frame carries
// the extended state as XSAVE laid it out.
constexpr uint32_t xstate_magic1 = 0x46505853;
constexpr uint32_t xstate_magic2 = 0x46505845;
constexpr size_t software_bytes_offset = 464;
constexpr size_t xsave_header_offset = 512;
constexpr uint64_t uc_fp_xstate = 1;

user_regs_struct load(const Registers& registers) {
    user_regs_struct user;
    memcpy(&user, registers.bytes, sizeof user);
    return user;
}

Registers store(const user_regs_struct& user) {
    Registers registers;
    memcpy(registers.bytes, &user, sizeof user);
    registers.used = sizeof user;
    return registers;
}

bool is_restartable(long result) {
    return result == restart_sys || result == restart_no_intr || result == restart_no_hand ||
           result == restart_block;
}

bool ends_on_any_stop(long number) {
    return number == SYS_epoll_wait || number == SYS_epoll_pwait || number == SYS_epoll_pwait2;
}

void set_arguments(user_regs_struct& user, long number, std::span<const uint64_t> arguments) {
    user.rax = static_cast<uint64_t>(number);
    user.orig_rax = ~0ull;  // no restart: this is not the call that was interrupted
    unsigned long long* const slots[] = {&user.rdi, &user.rsi, &user.rdx,
                                         &user.r10, &user.r8,  &user.r9};
    for (size_t i = 0; i < 6; ++i) *slots[i] = i < arguments.size() ? arguments[i] : 0;
}

template <class T>
void append(std::vector<unsigned char>& to, size_t at, const T& value) {
    memcpy(to.data() + at, &value, sizeof value);
}

}  // namespace

uint64_t program_counter(const Registers& registers) {
    return load(registers).rip;
}
uint64_t stack_pointer(const Registers& registers) {
    return load(registers).rsp;
}

std::optional<long> interrupted_call(const Registers& registers) {
    const user_regs_struct user = load(registers);
    const auto number = static_cast<long>(user.orig_rax);
    if (number < 0) return std::nullopt;
    const auto result = static_cast<long>(user.rax);
    if (is_restartable(result) || result == -EINTR) return number;
    return std::nullopt;
}

std::optional<CompletedCall> completed_call(const Registers& registers) {
    const user_regs_struct user = load(registers);
    const auto number = static_cast<long>(user.orig_rax);  // negative outside of a call
    if (number < 0 || interrupted_call(registers)) return std::nullopt;
    return CompletedCall{number, {user.rdi, user.rsi, user.rdx, user.r10, user.r8, user.r9}};
}

Registers resume_point(const Registers& registers, bool wait_is_endless) {
    user_regs_struct user = load(registers);
    const auto number = static_cast<long>(user.orig_rax);
    const auto result = static_cast<long>(user.rax);
    constexpr uint64_t instruction_bytes = 2;
    if (number >= 0 && is_restartable(result)) {
        user.rax = static_cast<uint64_t>(result == restart_block ? SYS_restart_syscall : number);
        user.rip -= instruction_bytes;
    } else if (number >= 0 && result == -EINTR && ends_on_any_stop(number) && wait_is_endless) {
        user.rax = static_cast<uint64_t>(number);
        user.rip -= instruction_bytes;
    }
    user.orig_rax = ~0ull;
    return store(user);
}

std::optional<size_t> find_system_call(std::span<const unsigned char> code) {
    constexpr unsigned char sequence[] = {0x0f, 0x05, 0xc3};  // syscall; ret
    const auto found =
        std::search(code.begin(), code.end(), std::begin(sequence), std::end(sequence));
    if (found == code.end()) return std::nullopt;
    return static_cast<size_t>(found - code.begin());
}

std::optional<size_t> find_signal_return(std::span<const unsigned char> code) {
    constexpr unsigned char sequence[] = {0x48, 0xc7, 0xc0, 0x0f, 0,
                                          0,    0,    0x0f, 0x05};  // mov $15,%rax; syscall
    const auto found =
        std::search(code.begin(), code.end(), std::begin(sequence), std::end(sequence));
    if (found == code.end()) return std::nullopt;
    return static_cast<size_t>(found - code.begin());
}

RescuedCall rescued_call(const Registers& resume, std::span<const unsigned char> extended_state,
                         uint64_t signal_mask, const Gadgets& gadgets, long number,
                         std::span<const uint64_t> arguments) {
    const user_regs_struct user = load(resume);
    // Upwards from the new stack pointer: return address of the gadget, the frame that sigreturn
    // expects there, the extended state (64-byte aligned), its closing mark.
    struct Frame {
        uint64_t return_address;
        uint64_t flags;
        uint64_t link;
        stack_t stack;
        sigcontext context;
        uint64_t mask;
    };
    const size_t state_bytes = extended_state.size();
    const uint64_t state_at =
        (user.rsp - red_zone_bytes - state_bytes - sizeof(xstate_magic2)) & ~uint64_t{63};
    const uint64_t frame_at = ((state_at - sizeof(Frame)) & ~uint64_t{15}) - 8;

    Frame frame{};
    frame.return_address = gadgets.signal_return;
    frame.flags = uc_fp_xstate;
    frame.stack.ss_flags = SS_DISABLE;
    frame.mask = signal_mask;
    sigcontext& context = frame.context;
    context.r8 = user.r8;
    context.r9 = user.r9;
    context.r10 = user.r10;
    context.r11 = user.r11;
    context.r12 = user.r12;
    context.r13 = user.r13;
    context.r14 = user.r14;
    context.r15 = user.r15;
    context.rdi = user.rdi;
    context.rsi = user.rsi;
    context.rbp = user.rbp;
    context.rbx = user.rbx;
    context.rdx = user.rdx;
    context.rax = user.rax;
    context.rcx = user.rcx;
    context.rsp = user.rsp;
    context.rip = user.rip;
    context.eflags = user.eflags;
    context.cs = static_cast<unsigned short>(user.cs);
    context.__pad0 = static_cast<unsigned short>(user.ss);
    context.fpstate = reinterpret_cast<_fpstate*>(state_at);  // NOLINT: an address in the target

    RescuedCall call;
    call.remote_frame = frame_at;
    call.frame.resize(state_at - frame_at + state_bytes + sizeof(xstate_magic2));
    memcpy(call.frame.data(), &frame, sizeof frame);
    unsigned char* const state = call.frame.data() + (state_at - frame_at);
    memcpy(state, extended_state.data(), state_bytes);
    uint64_t features = 0;
    memcpy(&features, state + xsave_header_offset, sizeof features);
    const size_t at = static_cast<size_t>(state - call.frame.data());
    append(call.frame, at + software_bytes_offset, xstate_magic1);
    append(call.frame, at + software_bytes_offset + 4,
           static_cast<uint32_t>(state_bytes + sizeof(xstate_magic2)));
    append(call.frame, at + software_bytes_offset + 8, features);
    append(call.frame, at + software_bytes_offset + 16, static_cast<uint32_t>(state_bytes));
    append(call.frame, at + state_bytes, xstate_magic2);

    call.registers = resume;
    call.registers = next_call(call, gadgets, number, arguments);
    return call;
}

Registers next_call(const RescuedCall& rescued, const Gadgets& gadgets, long number,
                    std::span<const uint64_t> arguments) {
    user_regs_struct user = load(rescued.registers);
    user.rip = gadgets.system_call;
    user.rsp = rescued.remote_frame;
    set_arguments(user, number, arguments);
    return store(user);
}

int64_t call_result(const Registers& registers) {
    return static_cast<int64_t>(load(registers).rax);
}

Registers enter_loader(const Registers& resume, uint64_t remote_code, LoaderBlock& block) {
    user_regs_struct user = load(resume);
    const uint64_t saved[LOADER_REGISTERS] = {user.rax, user.rbx, user.rcx,   user.rdx, user.rsi,
                                              user.rdi, user.rbp, user.rsp,   user.r8,  user.r9,
                                              user.r10, user.r11, user.r12,   user.r13, user.r14,
                                              user.r15, user.rip, user.eflags};
    std::copy(std::begin(saved), std::end(saved), block.registers);
    user.rip = remote_code;
    user.orig_rax = ~0ull;
    return store(user);
}

// entry_x86_64.S and loader.ld know these as numbers.
static_assert(offsetof(LoaderBlock, registers) == 0);
static_assert(offsetof(LoaderBlock, xsave) == SPYGLASS_BLOCK_XSAVE_OFFSET);
static_assert(sizeof(LoaderBlock) == SPYGLASS_BLOCK_STACK_TOP_OFFSET);

}  // namespace spyglass::attach::arch

#endif

/* SPDX-FileCopyrightText: Spyglass contributors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where a borrowed thread enters. It comes with no stack of its own that we may use and must leave
 * with every register as the tracer saved it, also when the tracer is dead by then. Offsets are
 * those of struct LoaderBlock (asserted in arch/x86_64.cpp); `block` is the page after the code.
 *
 * No sigreturn: it would turn a restarted poll or nanosleep into EINTR (arch/x86/kernel/signal.c,
 * restore_sigcontext).
 */
    .section .text.entry, "ax"
    /* Two doors at fixed offsets (arch.h: loader_entry_offset, loader_start_offset). */
    jmp     spyglass_loader_entry
    .balign 16
    jmp     spyglass_loader_start
    .balign 16
    .globl spyglass_loader_entry
spyglass_loader_entry:
    cld
    leaq    block(%rip), %rbx
    leaq    stack_top(%rip), %rsp
    /* All state components but AMX tiles (bits 17 and 18), which we do not touch. */
    xorl    %ecx, %ecx
    xgetbv
    andl    $~0x60000, %eax
    movl    %eax, %r12d
    movl    %edx, %r13d
    leaq    xsave_area(%rip), %rdi
    xsave64 (%rdi)

    movq    %rbx, %rdi
    call    spyglass_loader_dispatch

    movl    %r12d, %eax
    movl    %r13d, %edx
    leaq    xsave_area(%rip), %rdi
    xrstor64 (%rdi)

    pushq   136(%rbx)                   /* rflags */
    popfq
    movq    0(%rbx), %rax
    movq    16(%rbx), %rcx
    movq    24(%rbx), %rdx
    movq    32(%rbx), %rsi
    movq    40(%rbx), %rdi
    movq    48(%rbx), %rbp
    movq    64(%rbx), %r8
    movq    72(%rbx), %r9
    movq    80(%rbx), %r10
    movq    88(%rbx), %r11
    movq    96(%rbx), %r12
    movq    104(%rbx), %r13
    movq    112(%rbx), %r14
    movq    120(%rbx), %r15
    movq    56(%rbx), %rsp
    movq    8(%rbx), %rbx
    jmp     *saved_rip(%rip)
    .section .note.GNU-stack, "", @progbits

/* SPDX-FileCopyrightText: Spyglass contributors
 * SPDX-License-Identifier: Apache-2.0
 */
    .section .rodata
    .balign 16
    .globl spyglass_loader_begin
    .globl spyglass_loader_end
spyglass_loader_begin:
    .incbin SPYGLASS_LOADER_FILE
spyglass_loader_end:
    .section .note.GNU-stack, "", @progbits

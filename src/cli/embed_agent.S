/* SPDX-FileCopyrightText: Spyglass contributors
 * SPDX-License-Identifier: Apache-2.0
 */
    .section .rodata
    .balign 4096
    .globl spyglass_agent_begin
    .globl spyglass_agent_end
spyglass_agent_begin:
    .incbin SPYGLASS_AGENT_FILE
spyglass_agent_end:
    .section .note.GNU-stack, "", @progbits

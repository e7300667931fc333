// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The main interpreter's frame evaluation function (PEP 523): functions of the interpreter since
// 3.9, a field of the interpreter state in 3.8. Null is never read: it stands for the interpreter's
// own evaluation, which is then answered. GIL held; choose_old_layout() first.
#pragma once

#include "base/result.h"

namespace spyglass::agent::python {

/// Fails when the slot cannot be trusted to be one.
Result<void> check_evaluation_slot();

void* evaluation_function();
void set_evaluation_function(void* function);

}  // namespace spyglass::agent::python

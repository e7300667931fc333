// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// A function in the interpreter's `atexit` list for as long as probes are live, so that END runs
// and everything is removed before the interpreter finalises. Registered last, it runs first. GIL
// held.
#pragma once

namespace spyglass::agent {

void register_at_exit();
void unregister_at_exit();

}  // namespace spyglass::agent

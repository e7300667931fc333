// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// What happens to a session when the target forks: the parent's goes on, the child is told of and
// left untraced, without a descriptor or a thread of ours. Registered once per loaded image,
// because libc offers no way to take handlers back; inert while no session is active.
#pragma once

namespace spyglass::agent {

void install_fork_handlers();

}  // namespace spyglass::agent

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// "What an action does never triggers probes": a per-thread flag that sources look at first and
// whoever runs an action holds. Any thread; costs one thread-local load.
#pragma once

namespace spyglass::agent {

extern thread_local constinit bool inside_action [[gnu::visibility("hidden")]];

class ActionScope {
  public:
    ActionScope() : before_(inside_action) { inside_action = true; }
    ~ActionScope() { inside_action = before_; }
    ActionScope(const ActionScope&) = delete;
    ActionScope& operator=(const ActionScope&) = delete;

  private:
    bool before_;
};

}  // namespace spyglass::agent

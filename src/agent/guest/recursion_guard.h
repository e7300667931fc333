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
    ActionScope() : flag_(inside_action), before_(flag_) { flag_ = true; }
    ~ActionScope() { flag_ = before_; }
    ActionScope(const ActionScope&) = delete;
    ActionScope& operator=(const ActionScope&) = delete;

  private:
    bool& flag_;  // finding a thread-local costs a call: once
    bool before_;
};

}  // namespace spyglass::agent

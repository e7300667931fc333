// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Python text that the agent carries for work far from any hot path, and how it is run: in a
// namespace of its own with the real builtins, importing nothing. GIL held.
#pragma once

#include <initializer_list>
#include <utility>

#include "agent/python/capi.h"

namespace spyglass::agent::probes {

extern const char listing_source[];      // listing.py
extern const char main_thread_source[];  // main_thread.py

/// Runs the text with these names bound besides `modules`, a copy of sys.modules. Its namespace, or
/// null with an exception set.
python::Ref run_embedded(const char* source,
                         std::initializer_list<std::pair<const char*, PyObject*>> names);

/// Brackets actions that run on our own thread: whether `threading` is imported by them, and then
/// corrects what it believes to be the main thread.
class OwnThreadActions {
  public:
    OwnThreadActions();
    ~OwnThreadActions();
    OwnThreadActions(const OwnThreadActions&) = delete;
    OwnThreadActions& operator=(const OwnThreadActions&) = delete;

  private:
    bool threading_known_;
};

}  // namespace spyglass::agent::probes

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "agent/python/source.h"

#include "agent/python/code_state.h"
#include "agent/python/execution_log.h"
#include "agent/python/names_old.h"
#include "agent/python/sources/event_source.h"

namespace spyglass::agent::python {

namespace {

const EventSource* armed = nullptr;
const Observer* observer = nullptr;
uint32_t generation = 0;
bool tracks_executions = false;
int hearing = 0;  // callbacks inside the observer, those suspended in an action included

const EventSource* choose() {
    for (const EventSource& source : {monitoring_source(), frame_evaluation_source()}) {
        if (source.applies()) {
            static EventSource chosen;
            chosen = source;
            return &chosen;
        }
    }
    return nullptr;
}

void forget(Region& region) {
    if (observer) observer->forget(region);
}

}  // namespace

Result<void> arm(const Arming& arming) {
    if (auto done = reserve_code_slot(); !done) return done;
    const EventSource* const source = choose();
    if (!source) return Error("no event source fits this interpreter");
    retire_code_states(hearing != 0);
    observer = arming.observer;
    set_forget(forget);
    tracks_executions = arming.track_executions;
    ++generation;
    EventMask events = arming.events;
    if (tracks_executions) {
        events = static_cast<EventMask>(events | mask_of(RegionEvent::start) |
                                        mask_of(RegionEvent::ret) | mask_of(RegionEvent::unwind));
    }
    auto done = source->arm(events);
    if (!done) {
        observer = nullptr;
        return done;
    }
    armed = source;
    return {};
}

void disarm() {
    if (!armed) return;
    armed->disarm();
    armed = nullptr;
    retire_code_states(hearing != 0);
    observer = nullptr;
    forget_executions();
    forget_old_qualnames();
}

bool is_armed() {
    return armed != nullptr;
}

uint32_t current_arming() {
    return observer ? generation : 0;
}

EventMask watched_events(CodeState& state, Moment& moment) {
    if (state.generation == generation) return state.watched;
    moment.region = &state;
    state.generation = generation;
    state.wanted = observer->decide(moment);
    state.watched = state.wanted;
    if (tracks_executions && state.wanted != 0) {
        state.watched =
            static_cast<EventMask>(state.watched | mask_of(RegionEvent::start) |
                                   mask_of(RegionEvent::ret) | mask_of(RegionEvent::unwind));
    }
    return state.watched;
}

bool wants_line(const Moment& moment) {
    return observer->decide_line(moment);
}

namespace {

const void* identity_of(const Moment& moment) {
    if (moment.identity) return moment.identity;
    // The frame object, once made, is the frame's for its whole life; a borrowed address suffices.
    return Ref::steal(moment.access->frame(moment)).get();
}

}  // namespace

bool hear(const Moment& moment) {
    bool goes_on = true;
    const bool wanted = (moment.region->wanted & mask_of(moment.event)) != 0;
    const bool ends = moment.event == RegionEvent::ret || moment.event == RegionEvent::unwind;
    // Asked for while no exception can be set.
    const void* const ended = tracks_executions && ends ? identity_of(moment) : nullptr;
    if (tracks_executions && moment.event == RegionEvent::start) {
        execution_began(identity_of(moment), moment.code);
    }
    if (wanted) {
        ++hearing;
        goes_on = observer->hear(moment);
        --hearing;
    }
    if (ended) execution_ended(ended);
    return goes_on;
}

}  // namespace spyglass::agent::python

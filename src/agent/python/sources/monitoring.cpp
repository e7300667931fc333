// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// CPython 3.12+: sys.monitoring with native callbacks. Events are set for all code; a location that
// nobody wants answers DISABLE the first time and costs nothing from then on. Event numbers are
// read at run time, because they move between versions.
//
// Known defects that are met here: no line event in one-line functions unless PY_START is set as
// well (3.13+); PY_UNWIND, PY_THROW and kin cannot be disabled for one location before 3.15 (so
// their callback only looks at the code object's state); RESUME by throw() is an event of its own.
#include <cerrno>

#include "agent/guest/recursion_guard.h"
#include "agent/python/sources/event_source.h"
#include "agent/python/sources/monitored_frame.h"
#include "agent/python/text.h"

namespace spyglass::agent::python {

namespace {

struct Monitoring {
    Ref module;
    Ref disable;
    long tool_id = -1;
};
Monitoring* monitoring = nullptr;  // not null while armed

// 3 and 4 have no customary owner (PEP 669: 0 debuggers, 1 coverage, 2 profilers, 5 optimizers).
constexpr long tool_id_preference[] = {4, 3, 5, 2, 1, 0};

// What an asynchronous generator yields arrives wrapped (Objects/genobject.c,
// _PyAsyncGenWrappedValue: the value follows the object's head).
PyObject* unwrapped(PyObject* value) {
    static PyTypeObject* wrapper = nullptr;
    if (Py_TYPE(value) != wrapper) {
        const Ref name = attribute(reinterpret_cast<PyObject*>(Py_TYPE(value)), "__name__");
        if (utf8_of(name.get()) != "async_generator_wrapped_value") return value;
        wrapper = Py_TYPE(value);
    }
    return *reinterpret_cast<PyObject**>(value + 1);
}

template <RegionEvent event, bool can_disable>
PyObject* on_event(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    const auto nothing = [] {
        api.Py_IncRef(api.None);
        return api.None;
    };
    if (inside_action || !monitoring || count < 2) return nothing();
    PyObject* const code = arguments[0];
    CodeState* const state = code_state_of(code);
    if (!state) return nothing();
    MonitoredFrame frame;
    Moment moment;
    moment.region = state;
    moment.event = event;
    moment.code = code;
    moment.value = count > 2 ? arguments[2] : nullptr;
    if (event == RegionEvent::yield && moment.value &&
        (state->flags & CodeState::async_generator) != 0) {
        moment.value = unwrapped(moment.value);
    }
    moment.access = &monitored_frame_access;
    moment.native = &frame;
    const int saved_errno = errno;
    bool wanted = (watched_events(*state, moment) & mask_of(event)) != 0;
    if constexpr (event == RegionEvent::line) {
        if (wanted) {
            moment.line = static_cast<uint32_t>(api.PyLong_AsSsize_t(arguments[1]));
            wanted = wants_line(moment);
        }
    }
    const bool goes_on = !wanted || hear(moment);
    errno = saved_errno;
    if (!goes_on) return nullptr;  // raises here, in the program
    if (wanted || !can_disable || !monitoring) return nothing();
    PyObject* const disable = monitoring->disable.get();
    api.Py_IncRef(disable);
    return disable;
}

struct Callback {
    const char* event_name;
    EventMask events;  // armed when one of these is
    PyMethodDef definition;
};

#define SPYGLASS_CALLBACK(event_name, region_event, can_disable)                        \
    {                                                                                   \
        event_name, mask_of(region_event), {                                            \
            event_name,                                                                 \
                reinterpret_cast<PyCFunction>(                                          \
                    reinterpret_cast<void (*)()>(on_event<region_event, can_disable>)), \
                method_fastcall, nullptr                                                \
        }                                                                               \
    }

Callback callbacks[] = {
    SPYGLASS_CALLBACK("PY_START", RegionEvent::start, true),
    SPYGLASS_CALLBACK("PY_RESUME", RegionEvent::resume, true),
    SPYGLASS_CALLBACK("PY_THROW", RegionEvent::resume, false),
    SPYGLASS_CALLBACK("PY_YIELD", RegionEvent::yield, true),
    SPYGLASS_CALLBACK("PY_RETURN", RegionEvent::ret, true),
    SPYGLASS_CALLBACK("PY_UNWIND", RegionEvent::unwind, false),
    SPYGLASS_CALLBACK("LINE", RegionEvent::line, true),
};

Error error_of_python(const char* what) {
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    api.PyErr_Fetch(&type, &value, &traceback);
    const Ref text = value ? Ref::steal(api.PyObject_Str(value)) : Ref();
    std::string message = std::string(what) + ": " + utf8_of(text.get());
    api.PyErr_Clear();
    for (PyObject* each : {type, value, traceback}) {
        if (each) api.Py_DecRef(each);
    }
    return Error(std::move(message));
}

Ref call(PyObject* module, const char* function, PyObject* first, PyObject* second = nullptr,
         PyObject* third = nullptr) {
    const Ref callable = attribute(module, function);
    if (!callable) return {};
    return Ref::steal(
        api.PyObject_CallFunctionObjArgs(callable.get(), first, second, third, nullptr));
}

Result<long> take_tool_id(PyObject* module) {
    std::string holders;
    for (const long id : tool_id_preference) {
        const Ref number = Ref::steal(api.PyLong_FromLong(id));
        const Ref holder = call(module, "get_tool", number.get());
        if (!holder) {
            api.PyErr_Clear();
            continue;
        }
        if (holder.get() != api.None) {
            holders += (holders.empty() ? "" : ", ") + utf8_of(holder.get());
            continue;
        }
        const Ref name = text_of("spyglass");
        if (call(module, "use_tool_id", number.get(), name.get())) return id;
        api.PyErr_Clear();
    }
    return Error("every id of sys.monitoring is held by another tool: " + holders);
}

Result<long> event_number(PyObject* module, const char* name) {
    const Ref events = attribute(module, "events");
    const Ref number = events ? attribute(events.get(), name) : Ref();
    if (!number) return Error(std::string("sys.monitoring has no event ") + name);
    return static_cast<long>(api.PyLong_AsSsize_t(number.get()));
}

void disarm_monitoring() {
    if (!monitoring) return;
    PyObject* const module = monitoring->module.get();
    const Ref id = Ref::steal(api.PyLong_FromLong(monitoring->tool_id));
    const Ref zero = Ref::steal(api.PyLong_FromLong(0));
    (void)call(module, "set_events", id.get(), zero.get());
    for (const Callback& each : callbacks) {
        const auto number = event_number(module, each.event_name);
        if (!number) continue;
        const Ref event = Ref::steal(api.PyLong_FromLong(*number));
        (void)call(module, "register_callback", id.get(), event.get(), api.None);
    }
    (void)call(module, "free_tool_id", id.get());
    api.PyErr_Clear();
    delete monitoring;
    monitoring = nullptr;
}

Result<void> register_callbacks(PyObject* module, PyObject* id, EventMask events, long& event_set) {
    const bool lines = (events & mask_of(RegionEvent::line)) != 0;
    for (Callback& each : callbacks) {
        const bool for_lines = lines && each.events == mask_of(RegionEvent::start);
        if ((each.events & events) == 0 && !for_lines) continue;
        auto number = event_number(module, each.event_name);
        if (!number) return std::move(number).error();
        const Ref event = Ref::steal(api.PyLong_FromLong(*number));
        const Ref function = Ref::steal(api.PyCFunction_NewEx(&each.definition, nullptr, nullptr));
        if (!function || !call(module, "register_callback", id, event.get(), function.get())) {
            return error_of_python("register a monitoring callback");
        }
        event_set |= *number;
    }
    return {};
}

Result<void> arm_monitoring(EventMask events) {
    PyObject* const module = api.PySys_GetObject("monitoring");
    auto tool_id = take_tool_id(module);
    if (!tool_id) return std::move(tool_id).error();
    monitoring = new Monitoring{Ref::borrow(module), attribute(module, "DISABLE"), *tool_id};
    const Ref id = Ref::steal(api.PyLong_FromLong(*tool_id));
    long event_set = 0;
    if (auto done = register_callbacks(module, id.get(), events, event_set); !done) {
        disarm_monitoring();
        return done;
    }
    // Locations that an earlier session disabled must be heard again.
    const Ref set = Ref::steal(api.PyLong_FromLong(event_set));
    const bool set_done = static_cast<bool>(call(module, "set_events", id.get(), set.get()));
    const Ref restart = attribute(module, "restart_events");
    if (!set_done || !restart || !Ref::steal(api.PyObject_CallObject(restart.get(), nullptr))) {
        Error error = error_of_python("set monitoring events");
        disarm_monitoring();
        return error;
    }
    return {};
}

bool has_monitoring() {
    return api.PySys_GetObject("monitoring") != nullptr;
}

}  // namespace

EventSource monitoring_source() {
    return {"sys.monitoring", has_monitoring, arm_monitoring, disarm_monitoring};
}

}  // namespace spyglass::agent::python

/* SPDX-FileCopyrightText: Spyglass contributors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the headers of one CPython 3.8 to 3.11 say about the fields that src/agent/python/sources/
 * old_layouts.cpp and src/attach/debug_offsets.cpp list. Compiled with those headers by
 * test_old_layouts.py; prints "field offset".
 */
#define Py_BUILD_CORE 1
#include <Python.h>
#include <frameobject.h>
#include <stddef.h>
#include <stdio.h>
#if PY_VERSION_HEX < 0x03090000
#include <internal/pycore_pystate.h>
#else
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>
#endif
#if PY_VERSION_HEX >= 0x030b0000
#include <internal/pycore_frame.h>
#endif

#if PY_VERSION_HEX < 0x03090000
#define FINALIZING finalizing
#else
#define FINALIZING _finalizing
#endif
#define SAY(name, type, field) printf(#name " %zu\n", offsetof(type, field))

int main(void) {
    SAY(thread.interpreter, PyThreadState, interp);
    SAY(thread.tracing, PyThreadState, tracing);
    SAY(thread.profile_function, PyThreadState, c_profilefunc);
    SAY(thread.trace_function, PyThreadState, c_tracefunc);
    SAY(thread.trace_object, PyThreadState, c_traceobj);
    SAY(thread.thread_id, PyThreadState, thread_id);
#if PY_VERSION_HEX < 0x030b0000
    SAY(thread.frame, PyThreadState, frame);
    SAY(thread.recursion, PyThreadState, recursion_depth);
#else
    SAY(thread.recursion, PyThreadState, recursion_remaining);
    SAY(cframe.current_frame, _PyCFrame, current_frame);
#endif
#if PY_VERSION_HEX < 0x030a0000
    SAY(thread.use_tracing, PyThreadState, use_tracing);
#else
    SAY(thread.cframe, PyThreadState, cframe);
#if PY_VERSION_HEX < 0x030b0000
    SAY(cframe.use_tracing, CFrame, use_tracing);
#else
    SAY(cframe.use_tracing, _PyCFrame, use_tracing);
#endif
#endif

#if PY_VERSION_HEX < 0x03090000
    SAY(interpreter.eval_frame, PyInterpreterState, eval_frame);
    SAY(runtime.tracing_possible, _PyRuntimeState, ceval.tracing_possible);
    SAY(runtime.pending_finishing, _PyRuntimeState, ceval.pending.finishing);
#elif PY_VERSION_HEX < 0x030a0000
    SAY(interpreter.tracing_possible, PyInterpreterState, ceval.tracing_possible);
#endif

#if PY_VERSION_HEX < 0x030b0000
    SAY(frame.code, PyFrameObject, f_code);
    SAY(frame.globals, PyFrameObject, f_globals);
    SAY(frame.builtins, PyFrameObject, f_builtins);
    SAY(frame.locals, PyFrameObject, f_locals);
    SAY(frame.outer, PyFrameObject, f_back);
    SAY(frame.last_instruction, PyFrameObject, f_lasti);
    SAY(frame.fast_locals, PyFrameObject, f_localsplus);
#if PY_VERSION_HEX < 0x030a0000
    SAY(frame.suspension, PyFrameObject, f_stacktop);
#else
    SAY(frame.suspension, PyFrameObject, f_state);
#endif
    SAY(code.local_names, PyCodeObject, co_varnames);
    SAY(code.cell_names, PyCodeObject, co_cellvars);
    SAY(code.free_names, PyCodeObject, co_freevars);
#else
    SAY(frame.code, _PyInterpreterFrame, f_code);
    SAY(frame.globals, _PyInterpreterFrame, f_globals);
    SAY(frame.builtins, _PyInterpreterFrame, f_builtins);
    SAY(frame.locals, _PyInterpreterFrame, f_locals);
    SAY(frame.outer, _PyInterpreterFrame, previous);
    SAY(frame.last_instruction, _PyInterpreterFrame, prev_instr);
    SAY(frame.fast_locals, _PyInterpreterFrame, localsplus);
    SAY(frame.function, _PyInterpreterFrame, f_func);
    SAY(frame.object, _PyInterpreterFrame, frame_obj);
    SAY(frame.owner, _PyInterpreterFrame, owner);
    SAY(frame_object.frame, PyFrameObject, f_frame);
    SAY(generator.state, PyGenObject, gi_frame_state);
    SAY(generator.frame, PyGenObject, gi_iframe);
    SAY(code.local_names, PyCodeObject, co_localsplusnames);
    SAY(code.local_kinds, PyCodeObject, co_localspluskinds);
    SAY(code.instructions, PyCodeObject, co_code_adaptive);
    SAY(function.closure, PyFunctionObject, func_closure);
#endif
    SAY(code.constants, PyCodeObject, co_consts);
    SAY(code.flags, PyCodeObject, co_flags);
    SAY(runtime.initialized, _PyRuntimeState, initialized);
    SAY(runtime.finalizing, _PyRuntimeState, FINALIZING);
    SAY(type.name, PyTypeObject, tp_name);
    SAY(type.dict, PyTypeObject, tp_dict);
    SAY(type.mro, PyTypeObject, tp_mro);
    return 0;
}

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Programs started under tracing: the agent is preloaded, and this constructor finds out whether
// the process is a Python. If so, a C audit hook (PEP 578, allowed before initialisation) tells
// when the interpreter is ready and nothing of the program has run; there the session starts and
// the program waits until its probes are live. Other processes hand the environment on to whom they
// start.
//
// CPython has no way to remove an audit hook, and one that stays makes every audited operation
// slower; so the list's head is found by comparing `_PyRuntime` before and after, and the entry is
// unlinked (struct _Py_AuditHookEntry {next, hookCFunction, userData}, 3.8 to 3.15). Where it
// cannot be found the hook stays, and does nothing.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "agent/lifecycle/entry.h"
#include "agent/lifecycle/session.h"
#include "agent/python/capi.h"

namespace spyglass::agent {

namespace {

struct HookEntry {
    HookEntry* next;
    void* function;
    void* data;
};

constexpr size_t runtime_words = 1 << 14;  // the hooks' head lies in its first 128 KiB
int control_fd = -1;
uint64_t runtime = 0;
HookEntry** head = nullptr;

int on_audit_event(const char* event, PyObject* arguments, void* data);

void unlink_hook() {
    for (HookEntry** link = head; link && *link; link = &(*link)->next) {
        if ((*link)->function != reinterpret_cast<void*>(on_audit_event)) continue;
        *link = (*link)->next;  // the entry is read once more by the loop that called us: not freed
        return;
    }
}

void* run_preloaded(void*) {
    run_session(control_fd, runtime);
    return nullptr;
}

bool program_begins(const char* event) {
    for (const char* each :
         {"cpython.run_file", "cpython.run_command", "cpython.run_module", "cpython.run_stdin"}) {
        if (strcmp(event, each) == 0) return true;
    }
    return false;
}

// Main thread, GIL held; called for every audited operation until the program begins.
int on_audit_event(const char* event, PyObject*, void*) {
    static bool begun = false;
    if (begun || !program_begins(event)) return 0;
    begun = true;
    unlink_hook();
    if (!python::load_api(runtime) || !claim_image()) return 0;
    if (start_thread(run_preloaded, nullptr) != 0) return 0;
    PyThreadState* const state = python::api.PyEval_SaveThread();
    wait_until_released();
    python::api.PyEval_RestoreThread(state);
    return 0;
}

// Words of `_PyRuntime` that are readable; it is in writable data, whose end we do not know.
std::vector<uint64_t> words_of_runtime(size_t count) {
    const auto* const words = reinterpret_cast<const uint64_t*>(runtime);
    return std::vector<uint64_t>(words, words + count);
}

size_t readable_words() {
    // Up to the end of the image's segment: asked of the kernel by writing it to a pipe that
    // refuses addresses which are not mapped.
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return 0;
    constexpr size_t page_words = 512;
    size_t words = 0;
    while (words < runtime_words) {
        const auto* const next = reinterpret_cast<const char*>(runtime) + words * sizeof(uint64_t);
        char byte;
        if (write(ends[1], next, 1) != 1 || read(ends[0], &byte, 1) != 1) break;
        const size_t to_page_end =
            page_words - (reinterpret_cast<uintptr_t>(next) / sizeof(uint64_t)) % page_words;
        words += to_page_end;
    }
    close(ends[0]);
    close(ends[1]);
    return words < runtime_words ? words : runtime_words;
}

void add_hook(int (*add)(int (*)(const char*, PyObject*, void*), void*)) {
    const size_t count = readable_words();
    const std::vector<uint64_t> before = words_of_runtime(count);
    if (add(on_audit_event, nullptr) != 0) return;
    const std::vector<uint64_t> after = words_of_runtime(count);
    for (size_t i = 0; i < count; ++i) {
        if (before[i] != 0 || after[i] == 0 || after[i] % alignof(HookEntry) != 0) continue;
        auto* const entry = reinterpret_cast<HookEntry*>(after[i]);
        // The only words that adding a hook fills are the head and, before initialisation, locks.
        if (entry->function == reinterpret_cast<void*>(on_audit_event)) {
            head = reinterpret_cast<HookEntry**>(runtime) + i;
            return;
        }
    }
}

void clean_environment() {
    if (const char* before = getenv("SPYGLASS_PRELOAD_BEFORE")) {
        setenv("LD_PRELOAD", before, 1);
    } else {
        unsetenv("LD_PRELOAD");
    }
    unsetenv("SPYGLASS_PRELOAD_BEFORE");
    unsetenv("SPYGLASS_CONTROL_FD");
}

__attribute__((constructor)) void on_load() {
    const char* const text = getenv("SPYGLASS_CONTROL_FD");
    if (!text) return;
    runtime = reinterpret_cast<uint64_t>(dlsym(RTLD_DEFAULT, "_PyRuntime"));
    void* const add = dlsym(RTLD_DEFAULT, "PySys_AddAuditHook");
    if (runtime == 0 || !add) return;
    control_fd = atoi(text);
    clean_environment();
    // Taken already by another Python of the same command: it is closed, or not the channel any
    // more.
    if (fcntl(control_fd, F_SETFD, FD_CLOEXEC) != 0) return;
    add_hook(reinterpret_cast<int (*)(int (*)(const char*, PyObject*, void*), void*)>(add));
}

}  // namespace

}  // namespace spyglass::agent

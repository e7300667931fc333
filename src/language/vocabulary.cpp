// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
#include "language/vocabulary.h"

namespace spyglass::language {

using plan::SiteKind;

std::span<const ProbeWord> probe_words() {
    static constexpr ProbeWord table[] = {
        {"func", "func:QPATH:SITE", "a Python function: start, return, unwind, yield, resume",
         true},
        {"line", "line:PATH:N", "just before line N (or N-M, or *) of a file", true},
        {"pymontrace", "pymontrace::BEGIN", "once at the beginning, or at the END, of tracing",
         true},
        {"spyglass", "spyglass::BEGIN", "the same", true},
        {"call", "call:QPATH:before", "around a call, Python or C", false},
        {"raise", "raise:EXCEPTION:", "an exception is raised", false},
        {"interval", "interval::1s", "regularly", false},
        {"profile", "profile::99hz", "regularly, with the running thread's stack", false},
        {"thread", "thread::start", "a thread starts or ends", false},
        {"gc", "gc::start", "the garbage collector runs", false},
        {"import", "import:MODULE:begin", "a module is imported", false},
    };
    return table;
}

std::span<const SiteWord> site_words() {
    static constexpr SiteWord table[] = {
        {"func", "start", SiteKind::func_start, "entry, arguments bound"},
        {"func", "return", SiteKind::func_return, "normal return; retval()"},
        {"func", "unwind", SiteKind::func_unwind, "left by an exception; exc()"},
        {"func", "yield", SiteKind::func_yield, "a generator or coroutine is suspended"},
        {"func", "resume", SiteKind::func_resume, "it goes on"},
        {"pymontrace", "BEGIN", SiteKind::begin, "once, before the other probes are live"},
        {"pymontrace", "END", SiteKind::end, "once, at the end of tracing"},
        {"spyglass", "BEGIN", SiteKind::begin, "once, before the other probes are live"},
        {"spyglass", "END", SiteKind::end, "once, at the end of tracing"},
    };
    return table;
}

std::span<const FunctionWord> function_words() {
    static constexpr FunctionWord table[] = {
        {"ctx.NAME, NAME", "a local, else a global, at the probe site"},
        {"ctx.globals.NAME", "a global"},
        {"vars.NAME", "a variable of the program, shared by all actions"},
        {"maps.NAME[KEY]", "a map, printed at the end"},
        {"print(...)", "to the tracer's standard output, or error (file=sys.stderr)"},
        {"funcname(), qualname()", "the function's name; with its module"},
        {"args()", "a dict of the function's arguments"},
        {"retval(), exc()", "the value returned or yielded; the exception"},
        {"elapsed()", "nanoseconds since this execution began"},
        {"stack(N), caller()", "the Python stack, the calling function"},
        {"tid(), thread(), pid(), now()",
         "number and name of the thread, process, monotonic nanoseconds"},
        {"exit()", "end tracing"},
        {"agg.count(), agg.sum(X), agg.min(X), agg.max(X)",
         "aggregations, assigned to vars or maps"},
        {"agg.quantize(X)", "a histogram in powers of two"},
    };
    return table;
}

std::string language_help() {
    const auto line = [](std::string_view form, std::string_view summary) {
        std::string text = "  " + std::string(form);
        if (text.size() < 28) {
            text.resize(28, ' ');
        } else {
            text += "\n" + std::string(28, ' ');
        }
        return text + std::string(summary) + "\n";
    };
    std::string text = "probes:\n";
    for (const ProbeWord& each : probe_words()) {
        if (each.available) text += line(each.form, each.summary);
    }
    text += "\nin actions:\n";
    for (const FunctionWord& each : function_words()) text += line(each.form, each.summary);
    return text;
}

}  // namespace spyglass::language

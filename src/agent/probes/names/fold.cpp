// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Folding a value into what stands: exact for integers of any size (64 bits fast, beyond that
// Python adds), floats as floats. Kinds do not mix on one entry; a plain number may be gone on
// from.
#include <bit>
#include <cmath>

#include "agent/probes/names/table.h"
#include "agent/python/text.h"
#include "aggregate/histogram.h"
#include "aggregate/kinds.h"

namespace spyglass::agent::probes {

using aggregate::Kind;
using aggregate::Representation;
using python::api;
using python::utf8_of;

namespace {

std::string type_name(PyObject* object) {
    return utf8_of(
        python::attribute(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__").get());
}

bool fail(PyObject* exception, const std::string& text) {
    api.PyErr_SetString(exception, text.c_str());
    return false;
}

bool is_number(PyObject* value) {
    return python::is_instance(value, api.PyLong_Type) ||
           python::is_instance(value, api.PyFloat_Type);
}

// False: not an int within 64 bits (no exception).
bool small_integer(PyObject* value, int64_t& number) {
    if (!python::is_instance(value, api.PyLong_Type)) return false;
    int overflow = 0;
    number = api.PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0;
}

PyObject* call_int_method(const char* name, PyObject* value, PyObject* argument) {
    const Ref method = python::attribute(api.PyLong_Type, name);
    return method ? api.PyObject_CallFunctionObjArgs(method.get(), value, argument, nullptr)
                  : nullptr;
}

// What quantize makes of a value.
struct Bucket {
    int32_t number = 0;
    bool has_row = true;  // false: NaN, infinite, or an integer beyond max_bucket bits
};
bool bucket_of(PyObject* value, Bucket& bucket) {
    int64_t small = 0;
    if (small_integer(value, small)) {
        bucket.number = aggregate::bucket_of_integer(small);
        return true;
    }
    if (python::is_instance(value, api.PyLong_Type)) {
        const Ref exact = Ref::steal(call_int_method("__pos__", value, nullptr));
        const Ref bits =
            exact ? Ref::steal(call_int_method("bit_length", exact.get(), nullptr)) : Ref();
        const Ref zero = Ref::steal(api.PyLong_FromLong(0));
        if (!bits || !zero) return false;
        const Py_ssize_t count = api.PyLong_AsSsize_t(bits.get());
        bucket.has_row = count <= aggregate::max_bucket;
        if (!bucket.has_row) return true;
        const auto number = static_cast<int32_t>(count);
        bucket.number =
            api.PyObject_RichCompareBool(exact.get(), zero.get(), Py_LT) == 1 ? -number : number;
        return true;
    }
    if (python::is_instance(value, api.PyFloat_Type)) {
        const double real = api.PyFloat_AsDouble(value);
        bucket.has_row = std::isfinite(real);
        if (bucket.has_row) bucket.number = aggregate::bucket_of_real(real);
        return true;
    }
    const Ref form = Ref::steal(api.PyObject_Repr(value));
    return fail(api.PyExc_TypeError,
                "quantize: not int or float: " +
                    (form ? utf8_of(form.get()).substr(0, 200) : type_name(value)));
}

void add_bucket(aggregate::Histogram& histogram, const Bucket& bucket) {
    if (!bucket.has_row) {
        ++histogram.not_numbers;
        return;
    }
    if (histogram.counts.empty()) histogram.first_bucket = bucket.number;
    while (bucket.number < histogram.first_bucket) {
        histogram.counts.insert(histogram.counts.begin(), 0);
        --histogram.first_bucket;
    }
    const auto index = static_cast<size_t>(bucket.number - histogram.first_bucket);
    if (index >= histogram.counts.size()) histogram.counts.resize(index + 1);
    ++histogram.counts[index];
}

// The number as an exact int or float, so that folding it runs no code of the program.
Ref exact_number(PyObject* value) {
    if (python::is_exactly(value, api.PyLong_Type) || python::is_exactly(value, api.PyFloat_Type)) {
        return Ref::borrow(value);
    }
    if (python::is_instance(value, api.PyFloat_Type))
        return Ref::steal(api.PyFloat_FromDouble(api.PyFloat_AsDouble(value)));
    return Ref::steal(call_int_method("__pos__", value, nullptr));
}

// An exact number into the slot's cell.
bool store(Program& program, Slot& slot, PyObject* value) {
    int64_t number = 0;
    if (small_integer(value, number)) {
        program.arena.set_integer(*slot.entry, number);
        slot.big = {};
        return true;
    }
    if (python::is_exactly(value, api.PyFloat_Type)) {
        program.arena.set_real(*slot.entry, api.PyFloat_AsDouble(value));
        slot.big = {};
        return true;
    }
    // Decimal digits, or hexadecimal beyond the interpreter's limit (sys.set_int_max_str_digits).
    Ref digits = Ref::steal(api.PyObject_Str(value));
    if (!digits) {
        api.PyErr_Clear();
        const Ref form = python::text_of("#x");
        digits = Ref::steal(call_int_method("__format__", value, form.get()));
        if (!digits) return false;
    }
    if (!program.arena.set_text(*slot.entry, utf8_of(digits.get()))) {
        return fail(api.PyExc_MemoryError, "the memory for aggregates is full");
    }
    slot.big = Ref::borrow(value);
    return true;
}

bool replaces(PyObject* value, PyObject* held, Kind kind) {
    return api.PyObject_RichCompareBool(value, held, kind == Kind::min ? Py_LT : Py_GT) == 1;
}

// The common case without any Python object: both are 64-bit integers.
bool fold_integers(Program& program, Slot& slot, Kind kind, int64_t value) {
    const auto held = static_cast<int64_t>(slot.entry->bits());
    int64_t result = 0;
    switch (kind) {
        case Kind::count:
        case Kind::sum:
            if (__builtin_add_overflow(held, value, &result)) return false;
            break;
        case Kind::min:
            result = value < held ? value : held;
            break;
        case Kind::max:
            result = value > held ? value : held;
            break;
        default:
            return false;
    }
    program.arena.set_integer(*slot.entry, result);
    return true;
}

}  // namespace

bool check_value(const Aggregation& aggregation) {
    if (aggregation.kind == Kind::count || is_number(aggregation.value)) return true;
    if (aggregation.kind == Kind::quantize) {
        Bucket unused;
        return bucket_of(aggregation.value, unused);
    }
    return fail(api.PyExc_TypeError, std::string(aggregate::kind_name(aggregation.kind)) +
                                         ": a map entry holds numbers, not " +
                                         type_name(aggregation.value));
}

bool fold_into_slot(Program& program, Slot& slot, const Aggregation& aggregation) {
    aggregate::EntryRecord& entry = *slot.entry;
    const Kind kind = aggregation.kind;
    const Representation representation = entry.representation();
    if (entry.kind != kind) {
        const bool goes_on = representation == Representation::none || kind == Kind::value ||
                             (entry.kind == Kind::value && kind != Kind::quantize);
        if (!goes_on) {
            return fail(api.PyExc_TypeError,
                        "this entry holds agg." + std::string(aggregate::kind_name(entry.kind)) +
                            "(); agg." + std::string(aggregate::kind_name(kind)) +
                            "() cannot go into it as well");
        }
        entry.kind = kind;
    }
    if (kind == Kind::quantize) {
        Bucket bucket;
        if (!bucket_of(aggregation.value, bucket)) return false;
        const bool done = bucket.has_row ? program.arena.add_to_histogram(entry, bucket.number)
                                         : program.arena.add_not_a_number(entry);
        return done || fail(api.PyExc_MemoryError, "the memory for aggregates is full");
    }
    int64_t number = 1;
    const bool is_small = kind == Kind::count || small_integer(aggregation.value, number);
    if (is_small && representation == Representation::integer &&
        fold_integers(program, slot, kind, number)) {
        return true;
    }
    const Ref value =
        kind == Kind::count ? Ref::steal(api.PyLong_FromLong(1)) : exact_number(aggregation.value);
    if (!value) return false;
    if (kind == Kind::value || representation == Representation::none)
        return store(program, slot, value.get());
    const Ref held = Ref::steal(slot_value(slot));
    if (kind == Kind::min || kind == Kind::max) {
        return !replaces(value.get(), held.get(), kind) || store(program, slot, value.get());
    }
    const Ref sum = Ref::steal(api.PyNumber_Add(held.get(), value.get()));
    return sum && store(program, slot, sum.get());
}

PyObject* slot_value(const Slot& slot) {
    const aggregate::EntryRecord& entry = *slot.entry;
    const uint64_t bits = entry.bits();
    switch (entry.representation()) {
        case Representation::integer:
            return api.PyLong_FromLongLong(static_cast<int64_t>(bits));
        case Representation::real:
            return api.PyFloat_FromDouble(std::bit_cast<double>(bits));
        case Representation::text:
            return Ref::borrow(slot.big.get()).release();
        case Representation::histogram: {
            const auto* const base =
                reinterpret_cast<const std::byte*>(current()->options.arena.data());
            const auto& window = *reinterpret_cast<const aggregate::HistogramWindow*>(base + bits);
            const auto* const counts = reinterpret_cast<const uint64_t*>(&window + 1);
            aggregate::Histogram histogram;
            histogram.first_bucket = window.first_bucket;
            histogram.counts.assign(counts, counts + window.bucket_count);
            histogram.not_numbers = window.not_numbers.load(std::memory_order_relaxed);
            return make_histogram(histogram);
        }
        case Representation::none:
            break;
    }
    return Ref::borrow(api.None).release();
}

PyObject* fold_into_variable(PyObject* held, const Aggregation& aggregation) {
    switch (aggregation.kind) {
        case Kind::count: {
            const Ref one = Ref::steal(api.PyLong_FromLong(1));
            return held ? api.PyNumber_Add(held, one.get()) : Ref::borrow(one.get()).release();
        }
        case Kind::sum: {
            if (held) return api.PyNumber_Add(held, aggregation.value);
            // A sum of bools is a number from its first value on.
            const Ref zero = Ref::steal(api.PyLong_FromLong(0));
            return python::is_exactly(aggregation.value, api.PyBool_Type)
                       ? api.PyNumber_Add(zero.get(), aggregation.value)
                       : Ref::borrow(aggregation.value).release();
        }
        case Kind::min:
        case Kind::max: {
            if (!held) return Ref::borrow(aggregation.value).release();
            const int operation = aggregation.kind == Kind::min ? Py_LT : Py_GT;
            const int better = api.PyObject_RichCompareBool(aggregation.value, held, operation);
            if (better < 0) return nullptr;
            return Ref::borrow(better ? aggregation.value : held).release();
        }
        case Kind::quantize: {
            Bucket bucket;
            if (!bucket_of(aggregation.value, bucket)) return nullptr;
            if (aggregate::Histogram* const histogram = held ? as_histogram(held) : nullptr) {
                add_bucket(*histogram, bucket);
                return Ref::borrow(held).release();
            }
            if (held) {
                fail(api.PyExc_TypeError, "quantize: the variable holds " + type_name(held));
                return nullptr;
            }
            aggregate::Histogram histogram;
            add_bucket(histogram, bucket);
            return make_histogram(histogram);
        }
        default:
            return nullptr;
    }
}

}  // namespace spyglass::agent::probes

// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// Random configurations against a plain model of the rules: the model keeps the sections as they
// were rolled and answers each question by reading the rule's sentence, with no sharing of code.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "configured.h"

namespace spyglass::config {
namespace {

constexpr int configurations = 1000;
const char* const event_names[] = {"pysysmon_py_start", "pysysmon_py_return", "pysysmon_c_start",
                                   "pysysmon_c_return", "pysysmon_import"};
const char* const key_names[] = {"trace_starts_at", "max_num_traces", "tracing_rate"};

struct Function {
    const char* file;
    const char* module;
    const char* qualified;
};
const Function functions[] = {{"a.py", "a", "f"},
                              {"a.py", "a", "C.f"},
                              {"b.py", "p.b", "f"},
                              {"b.py", "p.b", "g"},
                              {"c.py", "c", "C.f"}};
constexpr uint32_t thread_count = 4;

// Regions with their rank, as the specification orders them, and which functions they mean.
struct Name {
    const char* text;
    int rank;
    bool (*means)(const Function&);
};
bool is(const char* a, const char* b) {
    return std::string_view(a) == b;
}
const Name names[] = {
    {"Python:f", 10, [](const Function& f) { return is(f.qualified, "f"); }},
    {"Python:C.f", 10, [](const Function& f) { return is(f.qualified, "C.f"); }},
    {"Python:a.f", 11, [](const Function& f) { return is(f.module, "a") && is(f.qualified, "f"); }},
    {"Python:p.b.g", 11,
     [](const Function& f) { return is(f.module, "p.b") && is(f.qualified, "g"); }},
    {"Python:a.py:f", 12,
     [](const Function& f) { return is(f.file, "a.py") && is(f.qualified, "f"); }},
    {"Python:c.py:C.f", 12,
     [](const Function& f) { return is(f.file, "c.py") && is(f.qualified, "C.f"); }},
    {"Python:C.*", 2, [](const Function& f) { return is(f.qualified, "C.f"); }},
    {"Python:*", 0, [](const Function&) { return true; }},
};

struct Section {
    std::map<std::string, int> keys;
    std::map<int, bool> events;
    bool has_parent = false;
    std::set<uint32_t> constraint;  // empty: none
    int order = 0;                  // when it was made
};

class Roll {
  public:
    explicit Roll(unsigned seed) : random_(seed) {
        for (int i = 0, count = below(9); i < count; ++i) edit();
    }

    const std::string& text() const { return text_; }

    schema::EventSet events(const Function& function, uint32_t thread) const {
        if (!in_scope(thread)) return 0;
        const Section* const named = named_for(function);
        const Section* const matched = named ? named : python_made_ ? &python_lexgion_ : &lexgion_;
        if (!matched->constraint.empty() && matched->constraint.count(thread) == 0) return 0;
        bool on[5];
        domain_events(thread, on);
        apply(lexgion_, thread, on);
        if (python_made_) apply(python_lexgion_, thread, on);
        if (named) apply(*named, thread, on);
        schema::EventSet set = 0;
        for (int i = 0; i < 5; ++i) set |= on[i] ? schema::EventSet{1} << i : 0;
        return set;
    }

    int64_t key(const Function& function, const char* key, int64_t built_in_value) const {
        if (const Section* const named = named_for(function)) {
            if (const auto at = named->keys.find(key); at != named->keys.end()) return at->second;
        }
        for (const Section* section : {&python_lexgion_, &lexgion_}) {
            if (const auto at = section->keys.find(key); at != section->keys.end())
                return at->second;
        }
        return built_in_value;
    }

  private:
    int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    bool chance(int in) { return below(in) == 0; }

    void edit() {
        switch (below(8)) {
            case 0:
                return domain();
            case 1:
                return punit();
            case 2:
                return header("Lexgion.default", lexgion_, true);
            case 3:
                return header("Lexgion(Python).default", python_lexgion_, true);
            case 4:
                return reset();
            case 5:
                return remove();
            default: {
                const auto at = static_cast<size_t>(below(std::size(names)));
                return header("Lexgion(" + std::string(names[at].text) + ")", named(at), false);
            }
        }
    }

    Section& named(size_t at) {
        if (named_.count(at) == 0) named_[at].order = order_++;
        return named_[at];
    }

    void domain() {
        text_ += "[Python.default]\n";
        roll_events(domain_);
        if (!chance(3)) return;
        scope_ = roll_set();
        has_scope_ = true;
        text_ += "Python.thread = (" + list(scope_) + ")\n";
    }

    void punit() {
        const std::set<uint32_t> set = roll_set();
        text_ += "[Python.thread(" + list(set) + ")] : Python.default\n";
        Section* section = nullptr;
        for (auto& [which, each] : punits_) {
            if (which == set) section = &each;
        }
        if (!section) section = &punits_.emplace_back(set, Section{}).second;
        roll_events(*section);
    }

    void header(const std::string& target, Section& section, bool is_default) {
        if (is_default && &section == &python_lexgion_) python_made_ = true;
        text_ += (chance(2) ? "[" : "[SET ") + target + "]";
        if (chance(2)) {
            text_ += " : Python.default";
            section.has_parent = true;
            if (chance(2)) {
                section.constraint = roll_set();
                text_ += " : Python.thread(" + list(section.constraint) + ")";
            }
        }
        text_ += "\n";
        for (const char* key : key_names) {
            if (!chance(2)) continue;
            const int least = is_most(key) ? -1 : is_start(key) ? 0 : 1;
            section.keys[key] = least + below(6);
            text_ += "  " + std::string(key) + " = " + std::to_string(section.keys[key]) + "\n";
        }
        roll_events(section);
    }

    void reset() {
        switch (below(3)) {
            case 0:
                text_ += "[RESET Python.default]\n";
                domain_ = {};
                has_scope_ = false;
                return;
            case 1:
                text_ += "[RESET Lexgion.default]\n";
                lexgion_ = {};
                return;
            default:
                text_ += "[RESET Lexgion(Python).default]\n";
                python_lexgion_ = {};
                python_made_ = false;
        }
    }

    void remove() {
        if (!named_.empty() && chance(2)) {
            const size_t at = named_.begin()->first;
            text_ += "[REMOVE Lexgion(" + std::string(names[at].text) + ")]\n";
            named_.erase(at);
        } else if (!punits_.empty()) {
            text_ += "[REMOVE Python.thread(*)]\n";
            punits_.clear();
        }
    }

    void roll_events(Section& section) {
        for (int i = 0; i < 5; ++i) {
            if (!chance(3)) continue;
            section.events[i] = chance(2);
            text_ +=
                "  " + std::string(event_names[i]) + (section.events[i] ? " = on\n" : " = off\n");
        }
    }

    std::set<uint32_t> roll_set() {
        std::set<uint32_t> set;
        while (set.empty()) {
            for (uint32_t i = 0; i < thread_count; ++i) {
                if (chance(2)) set.insert(i);
            }
        }
        return set;
    }
    static std::string list(const std::set<uint32_t>& set) {
        std::string text;
        for (const uint32_t each : set) text += (text.empty() ? "" : ", ") + std::to_string(each);
        return text;
    }
    static bool is_most(const char* key) { return is(key, "max_num_traces"); }
    static bool is_start(const char* key) { return is(key, "trace_starts_at"); }

    const Section* named_for(const Function& function) const {
        const Section* best = nullptr;
        int best_rank = -1;
        int best_order = -1;
        for (const auto& [at, section] : named_) {
            const Name& name = names[at];
            if (!name.means(function)) continue;
            const bool wins =
                name.rank > best_rank || (name.rank == best_rank && section.order > best_order);
            if (!wins) continue;
            best = &section;
            best_rank = name.rank;
            best_order = section.order;
        }
        return best;
    }

    bool in_scope(uint32_t thread) const {
        if (has_scope_ && scope_.count(thread) != 0) return true;
        for (const auto& [set, section] : punits_) {
            if (set.count(thread) != 0) return true;
        }
        return !has_scope_ && punits_.empty();
    }

    void domain_events(uint32_t thread, bool (&on)[5]) const {
        for (int i = 0; i < 5; ++i) on[i] = i != 4;
        for (const auto& [event, value] : domain_.events) on[event] = value;
        for (const auto& [set, section] : punits_) {
            if (set.count(thread) == 0) continue;
            for (const auto& [event, value] : section.events) on[event] = value;
        }
    }

    void apply(const Section& section, uint32_t thread, bool (&on)[5]) const {
        if (section.has_parent) domain_events(thread, on);
        for (const auto& [event, value] : section.events) on[event] = value;
    }

    std::mt19937 random_;
    std::string text_;
    int order_ = 0;
    Section domain_;
    std::set<uint32_t> scope_;
    bool has_scope_ = false;
    std::vector<std::pair<std::set<uint32_t>, Section>> punits_;
    Section lexgion_;
    Section python_lexgion_;
    bool python_made_ = false;
    std::map<size_t, Section> named_;
};

TEST(RandomConfigurations, AgreeWithThePlainModel) {
    const unsigned seed = std::random_device{}();
    RecordProperty("seed", static_cast<int>(seed));
    size_t silent = 0;
    for (unsigned round = 0; round < configurations; ++round) {
        const Roll model(seed + round);
        SCOPED_TRACE("seed " + std::to_string(seed + round) + "\n" + model.text());
        const Configuration configuration = configured(model.text());
        for (const Function& each : functions) {
            const FunctionName name = function(each.qualified, each.module, each.file);
            const RateLimit rate = resolve(configuration, name).rate();
            ASSERT_EQ(rate.starts_at, static_cast<uint64_t>(model.key(each, "trace_starts_at", 0)));
            ASSERT_EQ(rate.most, model.key(each, "max_num_traces", -1)) << each.qualified;
            ASSERT_EQ(rate.every, static_cast<uint64_t>(model.key(each, "tracing_rate", 1)));
            for (uint32_t thread = 0; thread < thread_count; ++thread) {
                const schema::EventSet expected = model.events(each, thread);
                ASSERT_EQ(events_on(configuration, name, thread), expected)
                    << each.module << ' ' << each.qualified << " on thread " << thread;
                silent += expected == 0;
            }
        }
    }
    EXPECT_GT(silent, 0u) << "the configurations never excluded anything: they test nothing";
}

}  // namespace
}  // namespace spyglass::config

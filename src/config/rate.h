// SPDX-FileCopyrightText: Spyglass contributors
// SPDX-License-Identifier: Apache-2.0
//
// The decision whether an execution is traced: one comparison per call. Execution i of a function
// on a thread is traced if i >= starts_at, (i - starts_at) % every == 0, and fewer than `most` were
// traced before. Counters survive a change of limits. One thread at a time per RateCounters; no
// allocation, cannot fail.
#pragma once

#include <cstdint>

namespace spyglass::config {

struct RateLimit {
    uint64_t starts_at = 0;
    int64_t most = -1;  // -1: no limit
    uint64_t every = 1;
    bool operator==(const RateLimit&) const = default;
};

struct RateCounters {
    static constexpr uint64_t never = UINT64_MAX;

    uint64_t executions = 0;
    uint64_t traced = 0;
    uint64_t next = 0;  // the execution that is traced next, as `follow` or `admit` left it

    /// After new counters, and after every change of the limits.
    void follow(const RateLimit& limit) {
        next = limit.starts_at;
        if (executions > next) {
            const uint64_t past = (executions - next) % limit.every;
            next = past == 0 ? executions : executions + (limit.every - past);
        }
        if (exhausted(limit)) next = never;
    }

    /// Counts one execution; true: trace it.
    bool admit(const RateLimit& limit) {
        if (executions++ != next) return false;
        ++traced;
        next = exhausted(limit) ? never : next + limit.every;
        return true;
    }

    bool exhausted(const RateLimit& limit) const {
        return limit.most >= 0 && traced >= static_cast<uint64_t>(limit.most);
    }
};

}  // namespace spyglass::config

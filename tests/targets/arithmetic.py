# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""Situation: never used alone. Work whose every step shows in its result.

A linear congruential generator: one lost or doubled step changes the value for ever, and the test
knows the value after N steps without running them.
"""

MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407
MASK = (1 << 64) - 1


class Work:
    def __init__(self):
        self.rounds = 0
        self.value = 1

    def step(self):
        self.value = (self.value * MULTIPLIER + INCREMENT) & MASK
        self.rounds += 1

    def report(self):
        print("checksum", self.rounds, self.value, flush=True)

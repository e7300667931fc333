# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""The runner itself: a comparison that could not fail would make every case worthless."""

import pytest

from support.case_file import CaseError, compare, contains_in_order, holds, parse
from support.target import INCREMENT, MODULUS, MULTIPLIER, checksum


@pytest.mark.parametrize("expected, actual, equal", [
    (["a", "b"], ["a", "b"], True),
    (["a", "b"], ["a"], False),
    (["a"], ["a", "b"], False),
    (["a"], ["b"], False),
    (["re:^a+$"], ["aaa"], True),
    (["re:^a+$"], ["aab"], False),
    (["...", "b"], ["a", "a", "b"], True),
    (["...", "b"], ["a", "b", "c"], False),
    (["a", "..."], ["a", "x", "y"], True),
    (["a", "..."], ["b"], False),
    (["unordered:", "a", "b", "ordered:", "c"], ["b", "a", "c"], True),
    (["unordered:", "a", "b", "ordered:", "c"], ["b", "c", "a"], False),
    (["unordered:", "a", "a"], ["a", "b"], False),
])
def test_compare(expected, actual, equal):
    assert (compare(expected, actual) is None) == equal


def test_contains_in_order():
    assert contains_in_order(["a", "re:c"], ["a", "b", "xcx"]) is None
    assert contains_in_order(["c", "a"], ["a", "b", "c"]) is not None


def test_versions():
    assert holds(">=3.8,<3.12", (3, 11)) and not holds(">=3.12", (3, 11)) and holds("", (3, 9))
    with pytest.raises(CaseError):
        holds("3.12", (3, 12))


@pytest.mark.parametrize("text", ["    stray\n", "NONSENSE x\n", "TARGET\n", "CASE a\nTARGET\n    x\n",
                                  "CASE a\nPROGRAM\n    x\n", "CASE a\nMODE sideways\n"])
def test_a_mistake_in_a_case_file_is_an_error(text):
    with pytest.raises(CaseError):
        parse(text, "x.case")


def test_checksum_is_the_generator_of_the_targets():
    value = 1
    for rounds in range(1, 300):
        value = (value * MULTIPLIER + INCREMENT) % MODULUS
        assert checksum(rounds) == value

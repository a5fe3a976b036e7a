from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.cluster.controller.job.indexes import Indexes

numbers = st.sets(st.integers(0, 40))


@pytest.mark.parametrize(
    ("text", "completions", "written"),
    [
        ("", 10, ""),
        ("3", 10, "3"),
        ("3,4", 10, "3,4"),
        ("3-5", 10, "3-5"),
        ("0,2-4,6,7", 10, "0,2-4,6,7"),
        ("0,2-9", 5, "0,2-4"),
        ("7-9", 5, ""),
        ("1,x,3-y,4", 10, "1,4"),
    ],
)
def test_a_text_is_read_and_written(text: str, completions: int, written: str) -> None:
    assert str(Indexes.parse(text, completions)) == written


@given(numbers, numbers)
def test_they_are_sets_of_numbers(left: set[int], right: set[int]) -> None:
    ours, theirs = Indexes.of(left), Indexes.of(right)
    for found, expected in ((ours | theirs, left | right), (ours & theirs, left & right)):
        assert {each for each in range(50) if each in found} == expected
        assert len(found) == len(expected)
        assert Indexes.parse(str(found), 50) == found
        assert set(found.absent(45)) == set(range(45)) - expected

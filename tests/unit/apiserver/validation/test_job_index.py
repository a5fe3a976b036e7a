from __future__ import annotations

import pytest

from windlass.apiserver.validation.job_index import first_common, total_of


@pytest.mark.parametrize(("text", "total"), [("", 0), ("0", 1), ("0,2-4,9", 5)])
def test_indexes_are_counted(text: str, total: int) -> None:
    assert total_of(text, 10) == (total, "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x", 'cannot convert string to integer for index: "x"'),
        ("0-x", 'cannot convert string to integer for index: "x"'),
        ("10", 'too large index: "10"'),
        ("0-10", 'too large index: "10"'),
        ("3-3", "non-increasing order, previous: 3, current: 3"),
        ("3,2", "non-increasing order, previous: 3, current: 2"),
        ("0,0", "non-increasing order, previous: 0, current: 0"),
        (
            "1-2-3",
            (
                'the fragment "1-2-3" violates the requirement that an index interval can have at most '
                "two parts separated by '-'"
            ),
        ),
    ],
)
def test_what_is_no_list_of_indexes_is_told_why(text: str, problem: str) -> None:
    assert total_of(text, 10) == (0, problem)


@pytest.mark.parametrize(
    ("one", "two", "common"),
    [("0-3", "5", None), ("0-3,7", "2-8", 2), ("", "1", None), ("x,4", "4", 4)],
)
def test_the_first_index_of_two_lists_is_found(one: str, two: str, common: int | None) -> None:
    assert first_common(one, two, 10) == common

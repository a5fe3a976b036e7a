from __future__ import annotations

from typing import Any

import pytest

from windlass.schema import alike, copied


def test_a_copy_shares_nothing_that_could_change() -> None:
    value = {"a": [{"b": 1}]}
    copy = copied(value)
    copy["a"][0]["b"] = 2
    copy["a"].append(3)

    assert value == {"a": [{"b": 1}]}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1, True),
        (1, 1.0, False),
        (1, True, False),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": None}, {"b": None}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        (None, None, True),
    ],
)
def test_values_are_alike_if_their_types_are(one: Any, other: Any, same: bool) -> None:  # noqa: FBT001 - a table
    assert alike(one, other) is same

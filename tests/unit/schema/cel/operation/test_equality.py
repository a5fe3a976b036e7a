from __future__ import annotations

import math
from typing import Any

import pytest

from windlass.schema.cel.operation import contains, equal, find
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import INT, STRING, list_of
from windlass.schema.cel.value import ABSENT, NONE, Duration, Optional, Timestamp, Uint

SAME = [
    (1, Uint(1)),
    (1, 1.0),
    (Uint(1), 1.0),
    (2**53 + 1, float(2**53)),
    (None, None),
    ("a", "a"),
    (b"a", b"a"),
    ([1, "a"], (1.0, "a")),
    ({"a": [1]}, {"a": [Uint(1)]}),
    ({1: "x"}, {Uint(1): "x"}),
    (Optional(1), Optional(1.0)),
    (NONE, Optional(ABSENT)),
    (Duration(5), Duration(5)),
    (Timestamp(5), Timestamp(5, 3600)),
    (list_of(INT), list_of(STRING)),
]
OTHER = [
    (True, 1),
    (1, True),
    (0.0, False),
    (None, 0),
    (math.nan, math.nan),
    ("a", b"a"),
    ("a", ["a"]),
    (["a"], "a"),
    ([1], [1, 1]),
    ({}, []),
    ({"a": 1}, {"a": 2}),
    ({True: 1}, {1: 1}),
    (Optional(1), 1),
    (Optional(None), NONE),
    (Duration(5), Timestamp(5)),
    (INT, "int"),
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_values_are_equal_whichever_comes_first(left: Any, right: Any) -> None:
    assert equal(left, right)
    assert equal(right, left)


@pytest.mark.parametrize(("left", "right"), OTHER)
def test_values_differ_whichever_comes_first(left: Any, right: Any) -> None:
    assert not equal(left, right)
    assert not equal(right, left)


@pytest.mark.parametrize(
    ("container", "key", "found"),
    [
        ({1: "x"}, 1.0, "x"),
        ({1: "x"}, Uint(1), "x"),
        ({1: "x"}, True, ABSENT),
        ({True: "x"}, True, "x"),
        ({True: "x"}, 1, ABSENT),
        ({False: "x"}, 0.0, ABSENT),
        ({"a": None}, "a", None),
        ({"a": 1}, "b", ABSENT),
        ({"a": 1}, [1], ABSENT),
        ({0: "x", 2: "y"}, 2, "y"),
        ({Timestamp(5): "x", INT: "y"}, Timestamp(5, 3600), "x"),
    ],
)
def test_a_key_is_found_by_its_value_and_a_truth_is_no_number(container: Any, key: Any, found: Any) -> None:
    assert find(container, key) is found


def test_a_container_has_what_equals_one_of_its_elements() -> None:
    assert contains([1, "a"], Uint(1))
    assert not contains([1, "a"], sought=True)
    assert contains({"a": None}, "a")
    with pytest.raises(EvaluationError, match="no such overload"):
        contains("abc", "a")

from __future__ import annotations

from collections import OrderedDict, UserDict, namedtuple
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from types import MappingProxyType
from typing import Any

import pytest

from windlass.api import Encoded, ObjectMeta, Quantity, encode, format_micro_time, format_time


class Color(StrEnum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


class Mode(Enum):
    FAST = "fast"


class Text(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "something else"


class Number(int):
    pass


Pair = namedtuple("Pair", "a b")  # noqa: PYI024 - a tuple that is no tuple exactly


@pytest.mark.parametrize(
    ("value", "wire"),
    [
        (None, None),
        ("a", "a"),
        (1, 1),
        (True, True),
        (1.5, 1.5),
        ({"a": {"b": [1, (2, 3)]}}, {"a": {"b": [1, [2, 3]]}}),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (MappingProxyType({"a": {1}}), {"a": [1]}),
        (Pair(1, Color.RED), [1, "red"]),
        ({"b", "a"}, ["a", "b"]),
        (frozenset({2, 1}), [1, 2]),
        (Color.RED, "red"),
        (Level.LOW, 1),
        (Mode.FAST, "fast"),
        (Text("a"), "a"),
        (Number(5), 5),
        (b"\x00\xff", "AP8="),
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05Z"),
        (datetime(2026, 1, 2, 3, 4, 5, 600, tzinfo=UTC), "2026-01-02T03:04:05.000600Z"),
        (datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=1))), "2026-01-02T02:00:00Z"),
        (datetime(999, 1, 2), "0999-01-02T00:00:00Z"),  # noqa: DTZ001 - a time without a zone is UTC
        (date(2026, 1, 2), "2026-01-02"),
        (Quantity("1000m"), "1000m"),
        (ObjectMeta(resource_version="5"), {"resourceVersion": "5"}),
        ({"a": [ObjectMeta(name="b")]}, {"a": [{"name": "b"}]}),
    ],
)
def test_a_value_has_its_form_on_the_wire(value: Any, wire: Any) -> None:
    encoded = encode(value)
    assert encoded == wire
    assert type(encoded) is type(wire)


@pytest.mark.parametrize("value", [timedelta(1), Decimal(1), object(), {1: {2: timedelta(1)}}, 1j])
def test_a_value_without_a_form_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="has no form on the wire"):
        encode(value)


def test_marks_that_write_alike_are_equal() -> None:
    assert Encoded(format_time) == Encoded(format_time)
    assert len({Encoded(format_time), Encoded(format_time), Encoded(format_micro_time)}) == 2
    assert Encoded(format_time) != format_time


def test_a_mapping_of_any_kind_is_an_object() -> None:
    assert encode(UserDict({"a": UserDict()})) == {"a": {}}

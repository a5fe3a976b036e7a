from typing import Any

import pytest

from windlass.apiserver.protobuf.field import Field, Many, Map, Single
from windlass.apiserver.protobuf.scalar import Flag, Text, Whole

VALUE = Single(2, "Value", "value", Whole(), pointer=False)
POINTER = Single(2, "Value", "value", Whole(), pointer=True)


def read(field: Field, *raw: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in raw:
        field.read(each, found)
    return found


def test_a_value_is_always_written() -> None:
    assert (VALUE.write({}), VALUE.write({"value": 0}), VALUE.write({"value": 7})) == (
        b"\x10\0",
        b"\x10\0",
        b"\x10\7",
    )


def test_a_pointer_is_written_where_it_points_to_something() -> None:
    assert (POINTER.write({}), POINTER.write({"value": None}), POINTER.write({"value": 0})) == (
        b"",
        b"",
        b"\x10\0",
    )


def test_zero_is_nothing_unless_it_is_pointed_to() -> None:
    assert (read(VALUE, 0), read(POINTER, 0)) == ({}, {"value": 0})


def test_the_last_value_of_a_field_counts() -> None:
    assert (read(VALUE, 7, 8), read(VALUE, 7, 0)) == ({"value": 8}, {})


@pytest.mark.parametrize(
    ("bits", "raw", "value"),
    [(32, 2**64 - 1, -1), (32, 2**31, -(2**31)), (32, 2**32 + 5, 5), (64, 2**63, -(2**63))],
)
def test_a_number_has_as_many_bits_as_its_type(bits: int, raw: int, value: int) -> None:
    assert read(Single(1, "N", "n", Whole(bits), pointer=True), raw) == {"n": value}


def test_numbers_may_stand_in_one_field_or_in_several() -> None:
    assert read(Many(1, "N", "n", Whole()), 1, b"\2\xac\2", 3) == {"n": [1, 2, 300, 3]}


def test_a_list_is_written_item_by_item() -> None:
    assert Many(1, "Names", "names", Text()).write({"names": ["a", ""]}) == b"\n\1a\n\0"


def test_the_keys_of_a_map_are_written_in_the_order_of_their_bytes() -> None:
    written = Map(1, "Labels", "labels", Text()).write({"labels": {"é": "", "b": "1", "Z": "2"}})

    assert written == b"\n\6\n\1Z\x12\0012\n\6\n\1b\x12\0011\n\6\n\2\xc3\xa9\x12\0"


def test_an_entry_of_a_map_may_lack_its_key_or_its_value() -> None:
    assert read(Map(1, "Data", "data", Text()), b"\n\1a", b"\x12\1b") == {"data": {"a": "", "": "b"}}
    assert read(Map(1, "Seen", "seen", Flag()), b"\n\1a") == {"seen": {"a": False}}

from __future__ import annotations

from copy import copy, deepcopy
from pickle import dumps, loads

import pytest

from windlass.api import (
    AtMostOneOf,
    Atomic,
    Cel,
    Default,
    ExactlyOneOf,
    ExternalDocs,
    Format,
    Immutable,
    ListMap,
    ListSet,
    Marker,
    Nullable,
    SchemaType,
)

MARKERS = [
    Cel("self > 0", message="m", reason="FieldValueInvalid"),
    AtMostOneOf("a", "b"),
    ListMap("port"),
    ListSet(),
    Atomic(),
    Nullable(),
    Immutable(),
    Format("ipv4"),
    SchemaType("string"),
    Default({"a": [1]}),
    ExternalDocs("https://example.com", "more"),
]


@pytest.mark.parametrize("marker", MARKERS, ids=lambda marker: type(marker).__name__)
def test_a_copy_of_a_marker_is_equal_to_it(marker: Marker) -> None:
    for twin in (copy(marker), deepcopy(marker), loads(dumps(marker))):  # noqa: S301 - our own bytes
        assert twin == marker


def test_markers_that_say_different_things_are_different() -> None:
    assert AtMostOneOf("a") != ExactlyOneOf("a")
    assert ListMap("a") != ListMap("b")
    assert ListMap("a") != ("a",)
    assert Cel("a") != Cel("a", message="b")
    assert ListSet() != Atomic()


def test_equal_markers_have_equal_hashes() -> None:
    assert len({Cel("a"), Cel("a"), Cel("b"), Atomic(), Atomic()}) == 3


def test_a_marker_cannot_be_changed() -> None:
    marker = ListMap("a")
    with pytest.raises(AttributeError, match="ListMap is immutable"):
        marker.keys = ("b",)


def test_a_marker_shows_what_it_says() -> None:
    assert repr(ListMap("a", "b")) == "ListMap(keys=('a', 'b'))"
    assert repr(Atomic()) == "Atomic()"

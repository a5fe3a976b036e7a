"""Open types are settled by what meets them."""

from __future__ import annotations

import pytest

from windlass.schema.cel.check.unify import Bindings
from windlass.schema.cel.type import (
    BOOL,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    Type,
    list_of,
    map_of,
    object_type,
    optional_of,
    type_of_type,
)


@pytest.mark.parametrize(
    ("given", "wanted", "fits"),
    [
        (INT, INT, True),
        (INT, STRING, False),
        (INT, DYN, True),
        (DYN, INT, True),
        (NULL, INT, False),
        (NULL, DURATION, True),
        (object_type("a"), NULL, True),
        (object_type("a"), object_type("b"), False),
        (list_of(INT), list_of(DYN), True),
        (list_of(INT), list_of(STRING), False),
        (map_of(STRING, INT), map_of(STRING, NULL), False),
        (optional_of(INT), INT, False),
        (type_of_type(INT), type_of_type(STRING), True),
        (type_of_type(INT), INT, False),
    ],
)
def test_a_type_fits_another(given: Type, wanted: Type, fits: bool) -> None:  # noqa: FBT001
    assert Bindings().assignable((given,), (wanted,)) is fits


def test_an_open_type_stands_for_what_it_meets_first() -> None:
    bindings = Bindings()
    open_ = bindings.fresh()

    assert bindings.assignable((list_of(open_),), (list_of(INT),))
    assert not bindings.assignable((open_,), (STRING,))
    assert bindings.settled(map_of(STRING, open_)) == map_of(STRING, INT)


def test_an_open_type_becomes_more_general() -> None:
    bindings = Bindings()
    open_ = bindings.fresh()

    assert bindings.assignable((open_, DYN), (INT, open_))
    assert bindings.settled(open_) == DYN


def test_what_does_not_fit_settles_nothing() -> None:
    bindings = Bindings()
    one, two = bindings.fresh(), bindings.fresh()
    assert bindings.assignable((one,), (INT,))

    assert not bindings.assignable((two, DYN, BOOL), (STRING, one, INT))

    assert bindings.settled(one) == INT
    assert bindings.settled(two) == two
    assert bindings.settled(two, close=True) == DYN


def test_no_type_is_a_part_of_itself() -> None:
    bindings = Bindings()
    one, two = bindings.fresh(), bindings.fresh()
    assert bindings.assignable((one,), (list_of(two),))

    assert not bindings.assignable((two,), (list_of(one),))
    assert bindings.assignable((two,), (two,))

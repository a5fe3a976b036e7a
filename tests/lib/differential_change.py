"""Small damage to a manifest: what a request may get wrong, as data that can be done to any copy of it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from hypothesis import strategies as st

from mutated import made

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import DrawFn

    from windlass.schema import Shape

Way = tuple[str | int, ...]
"""The names and indices that lead to a value."""

TWIN: Final = "\0"
"""Ends a name that is to be sent a second time: `text_of` takes it away."""

_LONG: Final = tuple("a" * length for length in (63, 64, 253, 254))
TEXTS: Final = (
    *(
        "",
        "a",
        "b",
        "A",
        "a b",
        "a.b",
        "a/b",
        "-a",
        "é",
        "1",
        "0",
        "true",
        "null",
        "10%",
        "1.5",
        "1Gi",
        "500m",
    ),
    *("1.2.3.4", "::1", "10.96.0.300", "2020-01-01T00:00:00Z", "aGk=", "%%", "example.com/x", *_LONG),
    *("None", "Always", "Never", "Delete", "Retain", "TCP", "UDP", "http", "Orphan", "In", "Exists"),
)
NUMBERS: Final = (-1, 0, 1, 2, 3, 80, 65535, 65536, 2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**63) - 1)
ODD: Final[tuple[Any, ...]] = (
    None,
    "",
    "x",
    0,
    7,
    -1,
    1.5,
    2.0,
    1e30,
    True,
    False,
    [],
    {},
    [{}],
    [None],
    ["x"],
    {"x": "y"},
    {"x": None},
)

_DAMAGE: Final = ("drop", "null", "odd", "boundary", "boundary", "made", "made", "twin", "unknown", "case")
_GROWTH: Final = ("more", "more", "unknown", "odd", "drop", "null", "repeat", "twin")
_HEADER: Final = {("apiVersion",), ("kind",)}
"""Which of two of these counts is another question in every step of the real server's decoding."""
_UNTOUCHED: Final = frozenset({"managedFields"})


@dataclass(frozen=True)
class Change:
    """One change: put a value at the end of a way, or drop what is there."""

    way: Way
    value: Any = None
    what: Literal["put", "drop"] = "put"


@dataclass(frozen=True)
class Place:
    """A value within another, the way to it, and its shape where one is known."""

    way: Way
    value: Any
    shape: Shape | None


def places(value: Any, shape: Shape | None, way: Way = ()) -> Iterator[Place]:
    """Every value within a value, itself first. What the server keeps of managers is left alone.

    So are twins: Go decodes the later one over what the earlier one has left there.
    """
    yield Place(way, value, shape)
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in _UNTOUCHED and name + TWIN not in value and not name.endswith(TWIN):
                yield from places(inner, shape.child(name) if shape else None, (*way, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, shape.items if shape else None, (*way, index))


def changed(value: Any, *changes: Change) -> Any:
    """A copy of a value with some changes made: maps on the way are made, but not in the place of something."""
    result = deepcopy(value)
    for change in changes:
        *way, last = change.way
        target = result
        for step in way:
            if isinstance(target, dict) and change.what == "put":
                target.setdefault(step, {})
            target = below(target, step)
        if isinstance(target, dict) and isinstance(last, str):
            if change.what == "drop":
                target.pop(last, None)
            else:
                target[last] = deepcopy(change.value)
        elif isinstance(target, list) and isinstance(last, int):
            _change_item(target, last, change)
    return result


def below(target: Any, step: str | int) -> Any:
    """One step on a way; `None` where there is none."""
    if isinstance(target, dict):
        return target.get(str(step))
    if isinstance(target, list) and isinstance(step, int) and step < len(target):
        return target[step]
    return None


def _change_item(target: list[Any], index: int, change: Change) -> None:
    if change.what == "drop":
        del target[index : index + 1]
    elif index < len(target):
        target[index] = deepcopy(change.value)
    else:
        target.append(deepcopy(change.value))


@st.composite
def changes(draw: DrawFn, value: Any, shape: Shape | None) -> tuple[Change, ...]:
    """One to three changes of a value, each of what the ones before it made of it."""
    found: list[Change] = []
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 3)))):
        place = draw(st.sampled_from(list(places(value, shape))))
        change = draw(_change(place))
        value = changed(value, change)
        found.append(change)
    return tuple(found)


@st.composite
def _change(draw: DrawFn, place: Place) -> Change:
    holds = isinstance(place.value, (dict, list))
    what = draw(st.sampled_from(_GROWTH if holds else _DAMAGE))
    if holds and what in ("more", "unknown", "repeat"):
        return draw(_grown(place, what))
    if not place.way:
        return Change(
            (draw(st.sampled_from(("spec", "metadata", "unknown", "data"))),), draw(st.sampled_from(ODD))
        )
    if what == "drop":
        return Change(place.way, what="drop")
    if what == "null":
        return Change(place.way)
    last = place.way[-1]
    if what == "twin" and place.way in _HEADER:
        what = "unknown"
    if what in ("twin", "unknown", "case") and isinstance(last, str):
        renamed = {"twin": last + TWIN, "unknown": "unknown", "case": last[:1].swapcase() + last[1:]}[what]
        odd = (place.value, "x", None) if holds else (place.value, "x")
        return Change((*place.way[:-1], renamed), draw(st.sampled_from(odd)))
    return Change(place.way, draw(another(place.value, place.shape, what)))


@st.composite
def _grown(draw: DrawFn, place: Place, what: str) -> Change:
    """Something more in a map or a list."""
    if isinstance(place.value, list):
        end = (*place.way, len(place.value))
        if place.value and what != "unknown":
            return Change(end, draw(st.sampled_from(place.value)))
        below = place.shape.items if place.shape else None
        return Change(end, draw(another(None, below, "made")))
    if what == "unknown" or place.shape is None:
        return Change((*place.way, "unknown"), draw(st.sampled_from(ODD)))
    if not place.shape.properties:
        name = draw(st.sampled_from(TEXTS))
        return Change((*place.way, name), draw(another("x", place.shape.additional, "made")))
    name = draw(st.sampled_from(sorted(place.shape.properties)))
    return Change((*place.way, name), draw(another(None, place.shape.properties[name], "made")))


@st.composite
def another(draw: DrawFn, value: Any, shape: Shape | None, what: str = "made") -> Any:
    """A value to stand in the place of one: of its shape, at the limits of its type, or odd."""
    if what == "made" and shape is not None:
        return made(shape, draw(st.randoms(use_true_random=False)))
    if what == "boundary" and isinstance(value, str):
        return draw(st.sampled_from(TEXTS))
    if what == "boundary" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return draw(st.sampled_from(NUMBERS))
    return draw(st.sampled_from(ODD))

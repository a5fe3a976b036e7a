"""Bodies of patches and applies, made of an object: pieces of it, with some damage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from contract import JSON_PATCH, STRATEGIC
from differential_change import ODD, TEXTS, Change, Place, another, changed, changes, places

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypothesis.strategies import DrawFn

    from differential_change import Way
    from windlass.schema import Shape

_VALUES: Final = ("null", "null", "boundary", "boundary", "made", "made", "odd")
_OPERATIONS: Final = ("add", "add", "remove", "replace", "replace", "test", "copy", "move", "other")
_DELETE, _ORDER = "$deleteFromPrimitiveList", "$setElementOrder"
_DIRECTIVES: Final = ("replace", "delete", "merge", "other")
_OFTEN: Final = 2
_VERSION: Final = ("metadata", "resourceVersion")
_IDENTITY: Final = {("apiVersion",), ("kind",), ("metadata",), ("metadata", "name"), ()}


@st.composite
def merge_patch(draw: DrawFn, obj: Any, shape: Shape | None) -> Any:
    """A merge patch of one to three values of an object."""
    return draw(_pieces(obj, shape, strategic=False))


@st.composite
def strategic_patch(draw: DrawFn, obj: Any, shape: Shape | None) -> Any:
    """A strategic merge patch of one to three values of an object, perhaps with a directive."""
    patch = draw(_pieces(obj, shape, strategic=True))
    if draw(st.integers(0, 2)) < _OFTEN:
        return patch
    maps = [place for place in places(patch, shape) if isinstance(place.value, dict)]
    place = draw(st.sampled_from(maps))
    return changed(patch, draw(_directive(place)))


@st.composite
def _directive(draw: DrawFn, place: Place) -> Change:
    lists = [name for name, value in place.value.items() if isinstance(value, list)]
    names = lists or (sorted(place.shape.properties) if place.shape else ["x"]) or ["x"]
    name = draw(st.sampled_from(names))
    directive = draw(st.sampled_from(("$patch", "$patch", "$retainKeys", _DELETE, _ORDER)))
    if directive == "$patch":
        return Change((*place.way, directive), draw(st.sampled_from(_DIRECTIVES)))
    if directive == "$retainKeys":
        return Change((*place.way, directive), draw(st.sampled_from(([name], [], [*place.value], "x"))))
    if directive == _DELETE and name in place.value:
        # The real server obeys the one before the other in the order of a Go map, which differs each time.
        directive = _ORDER
    values = draw(st.sampled_from(([{"name": "a"}], ["a"], [], "x", place.value.get(name))))
    return Change((*place.way, f"{directive}/{name}"), values)


@st.composite
def _pieces(draw: DrawFn, obj: Any, shape: Shape | None, *, strategic: bool) -> Any:
    patch: Any = {}
    found = [place for place in places(obj, shape) if place.way]
    for _ in range(draw(st.sampled_from((1, 1, 2, 3)))):
        place = draw(st.sampled_from(found))
        if isinstance(place.value, dict) and place.shape and place.shape.properties and draw(st.booleans()):
            name = draw(st.sampled_from(sorted(place.shape.properties)))
            below = place.shape.properties[name]
            place = Place((*place.way, name), place.value.get(name), below)
        what = draw(st.sampled_from(_VALUES))
        value = None if what == "null" else draw(another(place.value, place.shape, what))
        patch = _merged(patch, _piece(obj, shape, place.way, value, strategic=strategic))
    return patch


def _piece(obj: Any, shape: Shape | None, way: Way, value: Any, *, strategic: bool) -> Any:
    """The smallest patch that sets one value."""
    if not way:
        return value
    step, rest = way[0], way[1:]
    if isinstance(step, str):
        inner = obj.get(step) if isinstance(obj, dict) else None
        return {step: _piece(inner, shape.child(step) if shape else None, rest, value, strategic=strategic)}
    if not isinstance(obj, list):
        return value
    item, key = obj[step] if step < len(obj) else None, shape.merge_key if shape else ""
    if not (strategic and key and isinstance(item, dict) and key in item):
        return changed({"x": obj}, Change(("x", *way), value))["x"]
    below = _piece(item, shape.items if shape else None, rest, value, strategic=True)
    return [{key: item[key], **below} if isinstance(below, dict) else below]


def _merged(one: Any, other: Any) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        return {
            name: _merged(one.get(name), other.get(name))
            if name in one and name in other
            else {**one, **other}[name]
            for name in {**one, **other}
        }
    return other


@st.composite
def json_patch(draw: DrawFn, obj: Any, shape: Shape | None) -> Any:
    """A JSON patch of one to three operations."""
    found = list(places(obj, shape))
    return [draw(_operation(found)) for _ in range(draw(st.sampled_from((1, 1, 2, 3))))]


@st.composite
def _operation(draw: DrawFn, found: list[Place]) -> Any:
    place = draw(st.sampled_from(found))
    what = draw(st.sampled_from(_OPERATIONS))
    path = pointer(place.way)
    if what == "other":
        odd: tuple[Any, ...] = (
            {"op": "other", "path": path},
            {"op": "add", "path": "x"},
            {"op": "add", "path": "/a/b/c", "value": 1},
            {},
            "x",
            None,
        )
        return draw(st.sampled_from(odd))
    if what in ("copy", "move"):
        own = [each for each in found if each.way != _VERSION]  # of which each server has its own
        return {"op": what, "path": path, "from": pointer(draw(st.sampled_from(own)).way)}
    if what == "remove":
        return {"op": what, "path": path}
    if what == "test":
        return {"op": what, "path": path, "value": draw(st.sampled_from((place.value, None, "x")))}
    if what == "add":
        path += draw(st.sampled_from(("", "/-", "/0", "/unknown", "/a~1b")))
    return {
        "op": what,
        "path": path,
        "value": draw(another(place.value, place.shape, draw(st.sampled_from(_VALUES)))),
    }


def pointer(way: Way) -> str:
    """A way as a JSON pointer."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in way)


@st.composite
def configuration(draw: DrawFn, valid: Any, shape: Shape | None) -> Any:
    """What a manager applies: a part of the valid manifest, seldom with damage."""
    result = valid
    for _ in range(draw(st.sampled_from((0, 0, 1, 2, 4)))):
        kept = [place for place in places(result, shape) if place.way not in _IDENTITY]
        if kept:
            result = changed(result, Change(draw(st.sampled_from(kept)).way, what="drop"))
    if draw(st.integers(0, 3)) > _OFTEN:
        values = [
            place
            for place in places(result, shape)
            if isinstance(place.value, str) and place.way not in _IDENTITY
        ]
        if values:
            result = changed(result, Change(draw(st.sampled_from(values)).way, draw(st.sampled_from(TEXTS))))
    if draw(st.integers(0, 3)) > _OFTEN:
        result = changed(result, *draw(changes(result, shape)))
    return result


@st.composite
def any_patch(draw: DrawFn) -> Any:
    """What is hardly a patch at all."""
    return draw(
        st.sampled_from((*ODD, [{}], {"metadata": None}, {"metadata": {"name": "other"}}, {"kind": "Other"}))
    )


def patch_of(form: str, obj: Any, shape: Shape | None, made: Iterable[Change]) -> Any:
    """A patch of a form (a media type) that makes some changes of an object."""
    if form == JSON_PATCH:
        return [_operation_of(change) for change in made]
    patch: Any = {}
    for change in made:
        value = None if change.what == "drop" else change.value
        patch = _merged(patch, _piece(obj, shape, change.way, value, strategic=form == STRATEGIC))
    return patch


def _operation_of(change: Change) -> Any:
    if change.what == "drop":
        return {"op": "remove", "path": pointer(change.way)}
    return {"op": "add", "path": pointer(change.way), "value": change.value}

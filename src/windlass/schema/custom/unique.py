"""Lists that are sets or maps have no item twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.custom.skeleton import Skeleton
from windlass.schema.fault import Fault
from windlass.schema.golang import json_text, shown_unstructured

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.schema.shape import Shape


class Uniqueness:
    """The sets and maps of a schema."""

    def __init__(self, shape: Shape) -> None:
        self._skeleton = Skeleton.of(shape, lambda each: each.list_type in ("set", "map"))

    def faults(self, value: Any) -> list[Fault]:
        """Every item that repeats another one, each at its first repetition."""
        if self._skeleton is None:
            return []
        return [
            fault
            for path, found, shape in self._skeleton.places(value)
            if type(found) is list
            for fault in _of_list(found, shape, path)
        ]


def _of_list(items: list[Any], shape: Shape, path: str) -> Iterator[Fault]:
    if shape.list_type == "map":
        wrong = [place for place, item in enumerate(items) if item is not None and type(item) is not dict]
        if wrong:
            first = wrong[0]
            why = "must be an object for an array of list-type map"
            text = f"Invalid value: {shown_unstructured(items[first])}: {why}"
            yield Fault("FieldValueInvalid", f"{path}[{first}]", text)
            return
        items = [_keys(item or {}, shape) for item in items]
    for place in _repeated(items):
        yield Fault(
            "FieldValueDuplicate", f"{path}[{place}]", f"Duplicate value: {shown_unstructured(items[place])}"
        )


def _keys(item: dict[str, Any], shape: Shape) -> dict[str, Any]:
    return {name: item[name] for name in shape.list_keys if name in item}


def _mark(item: Any) -> Any:
    """What two equal items have in common, to be looked up."""
    kind = type(item)
    if kind is dict and len(item) == 1:  # nearly every list with keys has one
        ((name, value),) = item.items()
        return (name, _mark(value))
    return json_text(item) if kind is dict or kind is list else (kind, item)


def _repeated(items: Sequence[Any]) -> Iterator[int]:
    counts: dict[Any, int] = {}
    for place, item in enumerate(items):
        mark = _mark(item)
        counts[mark] = counts.get(mark, 0) + 1
        if counts[mark] == 2:  # noqa: PLR2004 - the first repetition
            yield place

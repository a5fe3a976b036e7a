"""Where something is in an object: paths whose steps into lists go by name, if the items have names."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json

    Path = tuple["str | int | Named", ...]

ABSENT: Final[Any] = object()
"""Stands for the value of a field that is not there."""


class Named(NamedTuple):
    """The step into that item of a list which has this name."""

    name: str


def differing(first: Any, second: Any, path: Path = ()) -> Iterator[Path]:
    """Where two values differ; a map with other keys, or a list that grew, differs as a whole."""
    if isinstance(first, dict) and isinstance(second, dict):
        if path and first.keys() - second.keys() and second.keys() - first.keys():
            yield path  # the keys themselves are made anew
            return
        for name in {**first, **second}:
            yield from differing(first.get(name, ABSENT), second.get(name, ABSENT), (*path, name))
    elif isinstance(first, list) and isinstance(second, list):
        yield from _differing_items(first, second, path)
    elif type(first) is not type(second) or first != second:
        yield path


def _differing_items(first: list[Any], second: list[Any], path: Path) -> Iterator[Path]:
    one, two = _names(first), _names(second)
    if one is not None and two is not None and one.keys() == two.keys():
        for name in one:
            yield from differing(first[one[name]], second[two[name]], (*path, Named(name)))
    elif len(first) == len(second):
        for index, pair in enumerate(zip(first, second, strict=True)):
            yield from differing(*pair, (*path, index))
    else:
        yield path


def _names(items: list[Any]) -> dict[str, int] | None:
    """Where the item of each name is, if each has a name of its own."""
    found = {
        item["name"]: index
        for index, item in enumerate(items)
        if isinstance(item, dict) and isinstance(item.get("name"), str)
    }
    return found if len(found) == len(items) else None


def value_at(value: Any, path: Path) -> Any:
    """What is there, or `ABSENT`."""
    for step in path:
        value = _inside(value, step)
    return value


def _inside(value: Any, step: str | int | Named) -> Any:
    if isinstance(step, Named):
        index = (_names(value) or {}).get(step.name) if isinstance(value, list) else None
        return ABSENT if index is None else value[index]
    if isinstance(step, int):
        return value[step] if isinstance(value, list) and step < len(value) else ABSENT
    return value.get(step, ABSENT) if isinstance(value, dict) else ABSENT


def put_at(obj: Json, path: Path, value: Any) -> None:
    """Set a field, where there is something that it can be a field of."""
    *way, last = path
    parent = value_at(obj, tuple(way))
    if isinstance(last, str):
        if isinstance(parent, dict):
            parent[last] = deepcopy(value)
    elif _inside(parent, last) is not ABSENT:
        parent[last if isinstance(last, int) else (_names(parent) or {})[last.name]] = deepcopy(value)


def told(path: Path) -> str:
    """A path for people: `.spec.containers[name=web].image`."""
    return "".join(
        f"[name={step.name}]"
        if isinstance(step, Named)
        else f"[{step}]"
        if not _is_plain(step)
        else f".{step}"
        for step in path
    )


def _is_plain(step: str | int) -> bool:
    return isinstance(step, str) and "." not in step and "/" not in step

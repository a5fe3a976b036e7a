"""A change of an object as a type reads it, brought into the object as it stands on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.webhook.patch import same, steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json


def rebased(wire: Any, before: Any, after: Any) -> Any:
    """What stands on the wire, with what differs between two readings of it.

    A reading may differ from what it was read from: a validator fills in a field, a set is sorted, a quantity
    is spelt in another way. Where both readings agree, the wire stays as it is.
    """
    if same(before, after):
        return wire
    if isinstance(wire, dict) and isinstance(before, dict) and isinstance(after, dict):
        return _of_maps(wire, before, after)
    if isinstance(wire, list) and isinstance(before, list) and isinstance(after, list):
        return list(_of_lists(wire, before, after)) if _in_step(wire, before) else after
    return after


def _of_maps(wire: Json, before: Json, after: Json) -> Json:
    made = {name: value for name, value in wire.items() if name in after or name not in before}
    for name, value in after.items():
        if name in wire and name in before:
            made[name] = rebased(wire[name], before[name], value)
        elif name not in before or not same(before[name], value):
            made[name] = value
    return made


def _of_lists(wire: list[Any], before: list[Any], after: list[Any]) -> Iterator[Any]:
    i = j = 0
    for step in steps("", before, after):
        if step == "add":
            yield after[j]
        elif step == "keep":
            yield rebased(wire[i], before[i], after[j])
        i += step != "add"
        j += step != "remove"


def _in_step(wire: list[Any], before: list[Any]) -> bool:
    """Whether the items of a reading are those on the wire, one by one; a sorted set may have others."""
    return len(wire) == len(before) and all(
        same(one, other) or (isinstance(one, dict) and isinstance(other, dict))
        for one, other in zip(wire, before, strict=True)
    )

"""The JSON patch that makes one document of another, as short as can be found without long search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Patch = list[dict[str, Any]]

_LARGEST_TABLE: Final = 1024
"""Lists are compared item by item up to this product of their lengths; longer ones position by position."""


class _Edit(NamedTuple):
    """What is done with one item of a list, and what this and all later ones cost in bytes."""

    cost: int
    step: str  # "keep" (perhaps changed within), "add" or "remove"; empty at the end


def json_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> Patch:
    """The operations of RFC 6902 that turn `before` into `after`; none when they are equal.

    They touch the fields that differ and no others. Items of lists are added and removed one by one where
    that is shorter than to replace the list.
    """
    return list(_of_maps("", before, after, _LARGEST_TABLE))


def steps(path: str, before: list[Any], after: list[Any], table: int = _LARGEST_TABLE) -> Iterator[str]:
    """What is done with item after item: "keep" (perhaps changed within), "add" or "remove".

    What is equal at both ends stays; in between, the cheapest way, unless that takes a larger table.
    """
    start = 0
    while start < min(len(before), len(after)) and same(before[start], after[start]):
        start += 1
    stop = 0
    while stop < min(len(before), len(after)) - start and same(before[-1 - stop], after[-1 - stop]):
        stop += 1
    yield from ["keep"] * start
    yield from _between(path, before[start : len(before) - stop], after[start : len(after) - stop], table)
    yield from ["keep"] * stop


def same(one: Any, other: Any) -> bool:
    """Whether two values are one on the wire, on which `1`, `1.0` and `true` differ.

    What Python says first is quick, and so is the text; maps that have their fields in another order look
    different here, and turn out to have no changes.
    """
    return one == other and (isinstance(one, str) or orjson.dumps(one) == orjson.dumps(other))


def _changes(path: str, before: Any, after: Any, table: int) -> Patch:
    if same(before, after):
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        return list(_of_maps(path, before, after, table))
    whole: Patch = [{"op": "replace", "path": path, "value": after}]
    if isinstance(before, list) and isinstance(after, list) and before and after:
        return min(_of_lists(path, before, after, table), whole, key=_length)
    return whole


def _of_maps(
    path: str, before: Mapping[str, Any], after: Mapping[str, Any], table: int
) -> Iterator[dict[str, Any]]:
    for name in before:
        if name not in after:
            yield {"op": "remove", "path": f"{path}/{_escaped(name)}"}
    for name, value in after.items():
        place = f"{path}/{_escaped(name)}"
        if name in before:
            yield from _changes(place, before[name], value, table)
        else:
            yield {"op": "add", "path": place, "value": value}


def _of_lists(path: str, before: list[Any], after: list[Any], table: int) -> Patch:
    patch: Patch = []
    i = j = 0
    for step in steps(path, before, after, table):
        place = f"{path}/{j}"
        if step == "remove":
            patch.append({"op": "remove", "path": place})
        elif step == "add":
            patch.append({"op": "add", "path": place, "value": after[j]})
        else:
            patch += _changes(place, before[i], after[j], table)
        i += step != "add"
        j += step != "remove"
    return patch


def _between(path: str, old: list[Any], new: list[Any], table: int) -> Iterator[str]:
    if len(old) * len(new) > table:
        yield from ["keep"] * min(len(old), len(new))
        yield from ["remove"] * (len(old) - len(new)) + ["add"] * (len(new) - len(old))
        return
    edits = _edits(path, old, new)
    i = j = 0
    while step := edits[i][j].step:
        yield step
        i += step != "add"
        j += step != "remove"


def _edits(path: str, old: list[Any], new: list[Any]) -> list[list[_Edit]]:
    """The best edit for each pair of positions: the way from the first to the last is the cheapest.

    Lists within the items are compared position by position: tables within tables would take time without
    bound, and whoever writes the object would choose how much.
    """
    removal = _length([{"op": "remove", "path": f"{path}/0"}])
    additions = [_length([{"op": "add", "path": f"{path}/0", "value": each}]) for each in new]
    table = [[_Edit(0, "")] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old) + 1)):
        for j in reversed(range(len(new) + 1)):
            choices = []
            if i < len(old) and j < len(new):
                kept = _length(_changes(f"{path}/0", old[i], new[j], 0))
                choices.append(_Edit(table[i + 1][j + 1].cost + kept, "keep"))
            if i < len(old):
                choices.append(_Edit(table[i + 1][j].cost + removal, "remove"))
            if j < len(new):
                choices.append(_Edit(table[i][j + 1].cost + additions[j], "add"))
            if choices:
                table[i][j] = min(choices, key=lambda edit: edit.cost)
    return table


def _length(patch: Patch) -> int:
    return len(orjson.dumps(patch)) - 2 if patch else 0


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")

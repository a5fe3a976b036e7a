"""What a field manager owns (FieldsV1), held against what it wants and what there is.

The server's own record of an apply says which lists are merged by key, which are sets and which are taken
whole, so that no schema is needed to see whether applying again would change anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.api import Json

_ITSELF = "."
_ABSENT = "\0absent"
_UNOWNED = frozenset({"name", "namespace", "resourceVersion", "uid", "generation", "managedFields"})


def managed(metadata: Json, manager: str) -> Json | None:
    """The fields that a manager owns by its applies; None if it never applied this object."""
    for entry in metadata.get("managedFields") or ():
        if entry["manager"] == manager and entry["operation"] == "Apply" and not entry.get("subresource"):
            fields: Json = entry.get("fieldsV1") or {}
            return fields
    return None


def ownable(desired: Json) -> Json:
    """The part of a desired object that an apply comes to own: all but what names it."""
    metadata = {name: value for name, value in desired.get("metadata", {}).items() if name not in _UNOWNED}
    rest = {name: value for name, value in desired.items() if name not in ("apiVersion", "kind", "status")}
    return {**rest, "metadata": metadata} if metadata else _without(rest, "metadata")


def is_applied(fields: Mapping[str, Any], desired: Any, live: Any) -> bool:
    """Whether the owned fields are exactly those desired, and the live object has these values.

    It errs on one side only: a value that the server writes in another form is not recognised.
    """
    names = [name for name in fields if name != _ITSELF]
    if not names:
        return _same(desired, live)
    if type(desired) is dict:
        return type(live) is dict and _is_map_applied(fields, names, desired, live)
    return type(desired) is list and type(live) is list and _is_list_applied(fields, names, desired, live)


def owned_values(fields: Mapping[str, Any], live: Any) -> Any:
    """The values of a live object in the owned fields alone, in a form that can be compared."""
    names = [name for name in fields if name != _ITSELF]
    if not names:
        return live
    if type(live) not in (dict, list):
        return _ABSENT
    return {name: owned_values(fields[name], _member(live, name)) for name in names}


def lacks_values(owned: Any) -> bool:
    """Whether one of the values that `owned_values` returned is missing in the live object."""
    if type(owned) is dict:
        return any(map(lacks_values, owned.values()))
    return type(owned) is str and owned == _ABSENT


def _is_map_applied(fields: Mapping[str, Any], names: list[str], desired: Json, live: Json) -> bool:
    if len(names) != len(desired):
        return False
    for name in names:
        field = name[2:]
        if not name.startswith("f:") or field not in desired or field not in live:
            return False
        if not is_applied(fields[name], desired[field], live[field]):
            return False
    return True


def _is_list_applied(
    fields: Mapping[str, Any], names: list[str], desired: list[Any], live: list[Any]
) -> bool:
    if len(names) != len(desired):
        return False
    for name in names:
        found = _member(live, name)
        if found is _ABSENT:
            return False
        if not any(is_applied(fields[name], item, found) for item in _wanted(desired, name)):
            return False
    return True


def _wanted(desired: list[Any], name: str) -> Iterator[Any]:
    """The items that an element of a list may stand for; a key that is left out has its default."""
    step = orjson.loads(name[2:])
    for item in desired:
        if name.startswith("v:"):
            if item == step:
                yield item
        elif type(item) is dict and all(item.get(key, value) == value for key, value in step.items()):
            yield item


def _member(live: Any, name: str) -> Any:
    """What a step of a path leads to: a field, an item by its keys, or a member of a set."""
    if name.startswith("f:"):
        return live.get(name[2:], _ABSENT) if type(live) is dict else _ABSENT
    if type(live) is not list:
        return _ABSENT
    step = orjson.loads(name[2:])
    if name.startswith("v:"):
        return step if step in live else _ABSENT
    if name.startswith("k:"):
        for item in live:
            if type(item) is dict and all(item.get(key, _ABSENT) == value for key, value in step.items()):
                return item
    return _ABSENT


def _same(desired: Any, live: Any) -> bool:
    """Equality that tells true from 1."""
    if type(desired) is bool or type(live) is bool:
        return desired is live
    if type(desired) is dict and type(live) is dict:
        return desired.keys() == live.keys() and all(_same(desired[name], live[name]) for name in desired)
    if type(desired) is list and type(live) is list:
        return len(desired) == len(live) and all(map(_same, desired, live))
    return bool(desired == live)


def _without(value: Json, name: str) -> Json:
    return {key: each for key, each in value.items() if key != name}

"""Which fields of an object Helm owns, whether they still have the rendered values, and which were repaired.

The server's record of an apply (`managedFields`) tells whether a field was touched since: every other writer
that changes a field takes it over. So drift is found without a schema, and without sending an apply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.api import Quantity
from windlass.controller import field_changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json

_ITSELF: Final = "."
_NOT_APPLIED: Final = frozenset({"apiVersion", "kind", "status"})
_METADATA: Final = frozenset({"labels", "annotations", "ownerReferences", "finalizers"})


def owned_fields(obj: Json, manager: str) -> Json | None:
    """Return the fields (FieldsV1) that a field manager owns by its applies; None if it applied nothing."""
    for entry in obj["metadata"].get("managedFields") or ():
        if entry["manager"] == manager and entry["operation"] == "Apply" and not entry.get("subresource"):
            fields: Json = entry.get("fieldsV1") or {}
            return fields
    return None


def is_untouched(wanted: Json, live: Json, manager: str, *, values: bool = True) -> bool:
    """Whether the manager owns exactly the wanted fields, and they have the wanted values.

    Fields that the server added inside of them are no difference. Without `values` only the ownership is
    compared.
    """
    fields = owned_fields(live, manager)
    return fields is not None and _is_owned(fields, _applicable(wanted), live, values=values)


def repaired_fields(before: Json, after: Json, manager: str) -> list[str]:
    """Return the paths that differ among the fields that the manager owned before or owns afterwards."""
    fields = _union(owned_fields(before, manager) or {}, owned_fields(after, manager) or {})
    states = (_part(fields, obj) for obj in (_applicable(before), _applicable(after)))
    return [change.path for change in field_changes(*states)]


def _applicable(obj: Json) -> Json:
    """The part of an object that an apply can come to own."""
    metadata = {name: value for name, value in obj["metadata"].items() if name in _METADATA}
    rest = {name: value for name, value in obj.items() if name not in _NOT_APPLIED and name != "metadata"}
    return {**rest, "metadata": metadata}


def _is_owned(fields: Json, wanted: Any, live: Any, *, values: bool) -> bool:
    if not fields:
        return not values or holds(wanted, live) or _is_another_form(wanted, live)
    names = _steps(fields)
    if isinstance(wanted, dict) and isinstance(live, dict):
        needed = {f"f:{name}" for name, value in wanted.items() if value not in (None, {}, [])}
        return (
            needed.issubset(names)
            and {f"f:{name}" for name in wanted}.issuperset(names)
            and all(
                _is_owned(fields[name], wanted[name[2:]], live.get(name[2:]), values=values) for name in names
            )
        )
    if isinstance(wanted, list) and isinstance(live, list):
        return len(names) == len(wanted) and all(
            any(
                _is_owned(fields[name], item, found, values=values)
                for item in _items(wanted, name, defaults=True)
                for found in _items(live, name)
            )
            for name in names
        )
    return False


def holds(wanted: Any, live: Any) -> bool:
    """Whether a live value is the wanted one, but for fields that the server added."""
    if wanted is None:
        return live is None
    if isinstance(wanted, dict) and isinstance(live, dict):
        return all(holds(value, live.get(name)) for name, value in wanted.items())
    if isinstance(wanted, list) and isinstance(live, list):
        return len(wanted) == len(live) and all(map(holds, wanted, live))
    if isinstance(wanted, bool) or isinstance(live, bool):
        return wanted is live
    return bool(wanted == live)


def _is_another_form(wanted: Any, live: Any) -> bool:
    """Whether the server wrote a value otherwise: `1` for `1000m`, nothing for an empty one."""
    if live is None:
        return not wanted
    if not isinstance(live, str) or isinstance(wanted, bool) or not isinstance(wanted, (str, int, float)):
        return False
    try:
        return Quantity(str(wanted)) == Quantity(live)
    except ValueError:
        return False


def _part(fields: Json, value: Any) -> Any:
    """The owned fields of a value, and nothing else."""
    if not fields:
        return value
    names = _steps(fields)
    if isinstance(value, dict):
        return {name[2:]: _part(fields[name], value[name[2:]]) for name in names if name[2:] in value}
    if isinstance(value, list):
        found = {
            position: _part(fields[name], value[position])
            for name in names
            for position in _positions(value, name)
        }
        return [found[position] for position in sorted(found)]
    return value


def _union(one: Json, other: Json) -> Json:
    return {name: _union(one.get(name) or {}, other.get(name) or {}) for name in {**one, **other}}


def _steps(fields: Json) -> list[str]:
    return [name for name in fields if name != _ITSELF]


def _items(items: list[Any], name: str, *, defaults: bool = False) -> Iterator[Any]:
    return (items[position] for position in _positions(items, name, defaults=defaults))


def _positions(items: list[Any], name: str, *, defaults: bool = False) -> Iterator[int]:
    """The places of the items that a step of a path leads to; a key that is left out may have its default."""
    step = orjson.loads(name[2:])
    for position, item in enumerate(items):
        if name.startswith("k:"):
            if isinstance(item, dict) and all(
                item.get(key, value if defaults else None) == value for key, value in step.items()
            ):
                yield position
        elif name.startswith("v:") and item == step:
            yield position

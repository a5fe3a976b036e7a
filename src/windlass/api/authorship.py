"""Who changed an object, as far as the server's record of field managers (managedFields) tells."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api.wire import Json

_ITSELF: Final = "."
_ABSENT: Final[Any] = object()
_UNOWNED: Final = {
    "metadata": frozenset(
        {
            "creationTimestamp",
            "deletionGracePeriodSeconds",
            "deletionTimestamp",
            "generation",
            "managedFields",
            "resourceVersion",
        }
    )
}
"""Fields that the server sets and no manager owns; a deletion sets some of them."""


class Written(NamedTuple):
    """An entry of managedFields with the newest time; `fields` (FieldsV1) is kept where there are several."""

    manager: str
    operation: str
    time: str
    fields: bytes = b""


def last_written(metadata: Mapping[str, Any]) -> tuple[Written, ...]:
    """Return the entries of managedFields that share the newest time."""
    entries: Sequence[Json] = metadata.get("managedFields") or ()
    newest = max((entry.get("time") or "" for entry in entries), default="")
    found = [entry for entry in entries if newest and entry.get("time") == newest]
    if len(found) == 1:
        (only,) = found
        return (Written(only.get("manager", ""), only.get("operation", ""), newest),)
    return tuple(_written(entry, newest) for entry in found)


def managers_of(written: Sequence[Written], old: Json, new: Json) -> tuple[str, ...]:
    """Return the field managers that made a change, of those that wrote last; empty if none of them did.

    The server records the time of a write if it sets a field, or applies. It records none of a write that
    only removes fields otherwise, and none of a deletion: those are attributed to no manager.
    """
    if not _sets_field(old, new):
        return _distinct(each for each in written if _has_applied(each, old, new))
    if len(written) == 1:
        return (written[0].manager,)
    owned = [(_owned(each, old, new), each) for each in written]
    best = max(how for how, _ in owned)
    return _distinct(each for how, each in owned if how == best)


def _written(entry: Json, time: str) -> Written:
    import orjson

    try:
        fields = orjson.dumps(entry.get("fieldsV1") or {})
    except orjson.JSONEncodeError:  # it nests too deeply, as the object does
        fields = b"{}"
    return Written(entry.get("manager", ""), entry.get("operation", ""), time, fields)


def _distinct(written: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.manager for each in written))


def _has_applied(written: Written, old: Json, new: Json) -> bool:
    """Whether a manager whose entry is kept has applied since, which can remove fields."""
    before, after = (_entry_times(obj, written.manager) for obj in (old, new))
    return written.operation == "Apply" and written.time in after and written.time not in before


def _entry_times(obj: Json, manager: str) -> set[str]:
    entries = obj["metadata"].get("managedFields") or ()
    return {
        each.get("time", "")
        for each in entries
        if each.get("manager") == manager and each.get("operation") == "Apply"
    }


def _sets_field(old: Json, new: Json) -> bool:
    """Whether some field has a value that it had not before, but for those that no manager owns."""
    for name, value in new.items():
        before = old.get(name, _ABSENT)
        skipped = _UNOWNED.get(name, frozenset())
        if skipped and isinstance(value, dict) and isinstance(before, dict):
            before, value = (  # noqa: PLW2901 - the same without what does not count
                {key: each for key, each in side.items() if key not in skipped} for side in (before, value)
            )
        if _is_set(before, value):
            return True
    return False


def _is_set(before: Any, after: Any) -> bool:
    if type(before) is dict and type(after) is dict:
        return any(_is_set(before.get(name, _ABSENT), value) for name, value in after.items())
    if type(before) is list and type(after) is list:
        return any(item not in before for item in after)
    return bool(before is _ABSENT or before != after)


class _Owned(IntEnum):
    """Whether an entry owns a field that was set; perhaps, if it owns a map: all of it, or that it exists."""

    NO = 0
    PERHAPS = 1
    YES = 2


def _owned(written: Written, old: Json, new: Json) -> _Owned:
    import orjson

    return _owned_below(orjson.loads(written.fields), old, new) if written.fields else _Owned.NO


def _owned_below(fields: Json, old: Any, new: Any) -> _Owned:
    if new is _ABSENT or not _is_set(old, new):
        return _Owned.NO
    names = [name for name in fields if name != _ITSELF]
    if names:
        return max(_owned_below(fields[name], _member(old, name), _member(new, name)) for name in names)
    if type(old) is dict and type(new) is dict:
        return _Owned.NO if fields else _Owned.PERHAPS
    return _Owned.YES


def _member(value: Any, name: str) -> Any:
    """What a step of a path leads to: a field, an item by its keys, or a member of a set."""
    if name.startswith("f:"):
        return value.get(name[2:], _ABSENT) if type(value) is dict else _ABSENT
    if type(value) is not list:
        return _ABSENT
    import orjson

    step = orjson.loads(name[2:])
    if name.startswith("k:"):
        for item in value:
            if type(item) is dict and all(item.get(key, _ABSENT) == each for key, each in step.items()):
                return item
        return _ABSENT
    return step if name.startswith("v:") and step in value else _ABSENT

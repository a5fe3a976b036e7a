"""In which fields two states of an object differ, told for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json

HIDDEN = "(hidden)"
"""Stands for a secret value."""

_ABSENT: Any = object()
_TYPE = frozenset({"apiVersion", "kind"})
_BOOKKEEPING = frozenset(
    {"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"}
)
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_SECRET_PATHS = frozenset({".data", ".stringData"})
_IDENTITIES = (
    ("name",),
    ("key",),
    ("containerPort", "protocol"),
    ("port", "protocol"),
    ("mountPath",),
    ("devicePath",),
    ("topologyKey", "whenUnsatisfiable"),
    ("type",),
    ("ip",),
    ("uid",),
    ("id",),
)
_DEFAULTS = {"protocol": "TCP"}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field before and after; None where there was, or is, nothing."""

    path: str
    old: Any
    new: Any

    def __str__(self) -> str:
        """As a plan and a page show it: `.spec.replicas: 1 → 3`."""
        if self.old is None:
            return f"{self.path}: {self.new!r} (new)"
        if self.new is None:
            return f"{self.path}: {self.old!r} (removed)"
        return f"{self.path}: {self.old!r} → {self.new!r}"


def field_changes(old: Json | None, new: Json | None, *, kind: str = "") -> tuple[FieldChange, ...]:
    """The fields in which two states of an object differ, but for the server's own bookkeeping.

    Items of a list are matched by what identifies them (a name, a port, a type) where each has it, otherwise
    by their place. A field that is new or gone is told whole. The values of a Secret are never shown, only
    which of them changed; `kind` helps where the objects do not say themselves what they are.
    """
    old, new = old or {}, new or {}
    is_secret = "Secret" in (kind, old.get("kind"), new.get("kind"))
    found: list[FieldChange] = []
    for name in _names(old, new):
        if name in _TYPE:
            continue
        before, after = old.get(name, _ABSENT), new.get(name, _ABSENT)
        if name == "metadata":
            changes = _metadata(before, after)
        elif is_secret and _step("", name) in _SECRET_PATHS:
            changes = _members(_map(before), _map(after), _step("", name))
        else:
            changes = _values(before, after, _step("", name))
        found += [_hidden(each) for each in changes] if is_secret else changes
    return tuple(found)


def _metadata(old: Any, new: Any) -> Iterator[FieldChange]:
    before, after = (
        {name: value for name, value in _map(state).items() if name not in _BOOKKEEPING}
        for state in (old, new)
    )
    return _values(before, after, ".metadata")


def _hidden(change: FieldChange) -> FieldChange:
    """A change of a Secret, without what it keeps secret; kubectl leaves a copy in an annotation."""
    if not change.path.startswith((*_SECRET_PATHS, ".metadata.annotations")):
        return change
    if change.path.startswith(".metadata") and _LAST_APPLIED not in f"{change.path}{change.old}{change.new}":
        return change
    old, new = (None if value is None else HIDDEN for value in (change.old, change.new))
    return FieldChange(change.path, old, new)


def _values(old: Any, new: Any, path: str) -> Iterator[FieldChange]:
    if type(old) is dict and type(new) is dict:
        if not _is_same_text(old, new):
            yield from _members(old, new, path)
    elif type(old) is list and type(new) is list:
        if not _is_same_text(old, new):
            yield from _items(old, new, path)
    elif type(old) is not type(new) or old != new:
        yield FieldChange(path, *(None if value is _ABSENT else value for value in (old, new)))


def _is_same_text(old: Any, new: Any) -> bool:
    """Whether all of it is the same, as most of an object is: a hundred times quicker than a look inside.

    The text tells true from 1, which compare as equal.
    """
    return bool(old == new) and orjson.dumps(old) == orjson.dumps(new)


def _members(old: Json, new: Json, path: str) -> Iterator[FieldChange]:
    for name in _names(old, new):
        yield from _values(old.get(name, _ABSENT), new.get(name, _ABSENT), _step(path, name))


def _items(old: list[Any], new: list[Any], path: str) -> Iterator[FieldChange]:
    identity = next((each for each in _IDENTITIES if _identifies(each, old) and _identifies(each, new)), None)
    if identity is None:
        for index in range(max(len(old), len(new))):
            before, after = (items[index] if index < len(items) else _ABSENT for items in (old, new))
            yield from _values(before, after, f"{path}[{index}]")
    else:
        before, after = ({_label(identity, item): item for item in items} for items in (old, new))
        yield from (
            change
            for label in _names(before, after)
            for change in _values(before.get(label, _ABSENT), after.get(label, _ABSENT), f"{path}[{label}]")
        )


def _identifies(identity: tuple[str, ...], items: list[Any]) -> bool:
    """Whether every item has these fields, and no two the same."""
    if not all(type(item) is dict and identity[0] in item for item in items):
        return False
    labels = {_label(identity, item) for item in items}
    return len(labels) == len(items)


def _label(identity: tuple[str, ...], item: Json) -> str:
    return ",".join(f"{name}={item.get(name, _DEFAULTS.get(name, ''))}" for name in identity)


def _names(old: Json, new: Json) -> Iterator[str]:
    """The names of both, each once, in the order in which they come."""
    return iter({**dict.fromkeys(old), **dict.fromkeys(new)})


def _step(path: str, name: str) -> str:
    return f"{path}[{name}]" if "." in name or "/" in name else f"{path}.{name}"


def _map(value: Any) -> Json:
    return value if type(value) is dict else {}

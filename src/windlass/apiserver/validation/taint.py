"""The taints of a Node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.names import label_key, label_value
from windlass.apiserver.validation.noted import noted_list
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_TAINT: Final = {"key": "", "value": "", "effect": "", "timeAdded": None}
_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_FIELDS: Final = dict.fromkeys(("Key", "Value", "Effect", "TimeAdded"), str)
_NOTED: Final = "scheduler.alpha.kubernetes.io/taints"


def validate_taints(taints: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Fault]:
    """Each taint on its own, and no two of one key and effect."""
    seen: set[tuple[str, str]] = set()
    for index, taint in enumerate(taints):
        key, value, effect = taint.get("key", ""), taint.get("value", ""), taint.get("effect", "")
        where = path.index(index)
        for problem in label_key(key):
            yield Fault.invalid(where.child("key"), key, problem)
        if problems := label_value(value):
            yield Fault.invalid(where.child("value"), value, ";".join(problems))
        if not effect:
            yield Fault.required(where.child("effect"))
        elif effect not in _EFFECTS:
            yield Fault.not_supported(where.child("effect"), effect, _EFFECTS)
        if (key, effect) in seen:
            twice = Fault.duplicate(where, as_declared(taint, _TAINT))
            detail = f"{twice.message}: taints must be unique by key and effect pair"
            yield Fault(twice.reason, twice.field, detail)
        seen.add((key, effect))


def validate_noted_taints(annotations: Mapping[str, str], path: Path) -> Iterator[Fault]:
    """Taints as they were written down before they had a field."""
    noted = annotations.get(_NOTED)
    if not noted:
        return
    try:
        taints = noted_list(noted, "Taint", _FIELDS)
    except ValueError as error:
        yield Fault.invalid(path, _NOTED, str(error))
        return
    yield from validate_taints(taints, path.child(_NOTED))

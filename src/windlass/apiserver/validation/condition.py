"""Conditions of the usual form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import label_key, mismatch
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_STATUSES: Final = ("False", "True", "Unknown")
_REASON: Final = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?"
_LONGEST_REASON: Final = 1024
_LONGEST_MESSAGE: Final = 32 * 1024


def validate_conditions(conditions: Sequence[Mapping[str, Any]] | None, path: Path) -> Iterator[Fault]:
    """Each condition, one of a type."""
    seen: set[str] = set()
    for index, condition in enumerate(conditions or ()):
        kind, where = condition.get("type", ""), path.index(index)
        if kind in seen:
            yield Fault.duplicate(where.child("type"), kind)
        seen.add(kind)
        yield from _validate_condition(condition, where)


def _validate_condition(condition: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    kind, status = condition.get("type", ""), condition.get("status", "")
    for problem in label_key(kind):
        yield Fault.invalid(path.child("type"), kind, problem)
    if status not in _STATUSES:
        yield Fault.not_supported(path.child("status"), status, _STATUSES)
    generation = condition.get("observedGeneration", 0)
    if generation < 0:
        detail = "must be greater than or equal to zero"
        yield Fault.invalid(path.child("observedGeneration"), generation, detail)
    if not condition.get("lastTransitionTime"):
        yield Fault.required(path.child("lastTransitionTime"))
    yield from _validate_reason(condition.get("reason", ""), path.child("reason"))
    if len(condition.get("message", "").encode()) > _LONGEST_MESSAGE:
        yield Fault.too_long(path.child("message"), _LONGEST_MESSAGE)


def _validate_reason(reason: str, path: Path) -> Iterator[Fault]:
    if not reason:
        yield Fault.required(path)
        return
    if not re.fullmatch(_REASON, reason):
        says = (
            "a condition reason must start with alphabetic character, optionally followed by a string of "
            "alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'"
        )
        examples = "my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"
        yield Fault.invalid(path, reason, mismatch(says, _REASON, *examples))
    if len(reason.encode()) > _LONGEST_REASON:
        yield Fault.too_long(path, _LONGEST_REASON)

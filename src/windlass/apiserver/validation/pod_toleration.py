"""The taints of nodes that a pod tolerates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import label_key, label_value
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

TAINT_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")

_OPERATORS: Final = ("Equal", "Exists")
_COMPARISONS: Final = ("Lt", "Gt")


def validate_tolerations(tolerations: Sequence[Fields], path: Path) -> Iterator[Fault]:
    """Every toleration."""
    for index, toleration in enumerate(tolerations):
        yield from _validate_toleration(toleration, path.index(index))


def validate_added_tolerations(new: Sequence[Fields], old: Sequence[Fields], path: Path) -> Iterator[Fault]:
    """An update of a pod may add tolerations and say for how long, but take none away."""
    kept = [_without_seconds(each) for each in new]
    if any(_without_seconds(each) not in kept for each in old):
        yield Fault.forbidden(path, "existing toleration can not be modified except its tolerationSeconds")


def _without_seconds(toleration: Fields) -> dict[str, Any]:
    return {name: value for name, value in toleration.items() if name != "tolerationSeconds"}


def _validate_toleration(toleration: Fields, path: Path) -> Iterator[Fault]:
    key, operator = toleration.get("key", ""), toleration.get("operator", "")
    effect = toleration.get("effect", "")
    for problem in label_key(key) if key else ():
        yield Fault.invalid(path.child("key"), key, problem)
    if not key and operator != "Exists":
        detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
        yield Fault.invalid(path.child("operator"), operator, detail)
    if "tolerationSeconds" in toleration and effect != "NoExecute":
        detail = "effect must be 'NoExecute' when `tolerationSeconds` is set"
        yield Fault.invalid(path.child("effect"), effect, detail)
    yield from _validate_operator(operator, toleration.get("value", ""), path.child("operator"))
    if effect and effect not in TAINT_EFFECTS:
        yield Fault.not_supported(path.child("effect"), effect, TAINT_EFFECTS)


def _validate_operator(operator: str, value: str, path: Path) -> Iterator[Fault]:
    if operator in ("Equal", ""):
        problems = label_value(value)
        if problems:
            yield Fault.invalid(path, value, ";".join(problems))
    elif operator == "Exists":
        if value:
            yield Fault.invalid(path, value, "value must be empty when `operator` is 'Exists'")
    else:
        known = (*_OPERATORS, *_COMPARISONS) if operator in _COMPARISONS else _OPERATORS
        yield Fault.not_supported(path, operator, known)

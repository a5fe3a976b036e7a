"""Labels and the selectors over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.names import label_key, label_value
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def validate_labels(labels: Mapping[str, str] | None, path: Path) -> Iterator[Fault]:
    """Every key and every value; the faults stand at the map, not at its entries."""
    for key, value in (labels or {}).items():
        for problem in label_key(key):
            yield Fault.invalid(path, key, problem)
        for problem in label_value(value):
            yield Fault.invalid(path, value, problem)


def validate_selector(
    selector: Mapping[str, Any] | None, path: Path, *, any_values: bool = False
) -> Iterator[Fault]:
    """A label selector as workloads have it; `any_values` takes values that no label can have."""
    if not selector:
        return
    yield from validate_labels(selector.get("matchLabels"), path.child("matchLabels"))
    for index, requirement in enumerate(selector.get("matchExpressions", ())):
        where = path.child("matchExpressions").index(index)
        yield from _validate_requirement(requirement, where, any_values=any_values)


def _validate_requirement(requirement: Mapping[str, Any], path: Path, *, any_values: bool) -> Iterator[Fault]:
    operator, values = requirement.get("operator", ""), requirement.get("values", ())
    if operator in ("In", "NotIn"):
        if not values:
            yield Fault.required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            yield Fault.forbidden(
                path.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            )
    else:
        yield Fault.invalid(path.child("operator"), operator, "not a valid selector operator")
    key = requirement.get("key", "")
    for problem in label_key(key):
        yield Fault.invalid(path.child("key"), key, problem)
    for index, value in enumerate(() if any_values else values):
        for problem in label_value(value):
            yield Fault.invalid(path.child("values").index(index), value, problem)


def matches(selector: Mapping[str, Any] | None, labels: Mapping[str, str]) -> bool:
    """Whether a valid selector picks these labels: an empty one does, an absent one never does."""
    if selector is None:
        return False
    wanted = selector.get("matchLabels") or {}
    return all(labels.get(key) == value for key, value in wanted.items()) and all(
        _satisfies(labels, requirement) for requirement in selector.get("matchExpressions", ())
    )


def _satisfies(labels: Mapping[str, str], requirement: Mapping[str, Any]) -> bool:
    found, values = labels.get(requirement["key"]), requirement.get("values", ())
    match requirement["operator"]:
        case "In":
            return found in values
        case "NotIn":
            return found not in values
        case "Exists":
            return found is not None
    return found is None


def shown_labels(labels: Mapping[str, str] | None) -> dict[str, str] | None:
    """Labels as a message shows them: sorted, and null where there are none."""
    return dict(sorted(labels.items())) if labels else None


def shown_selector(selector: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A selector as a message shows it."""
    if selector is None:
        return None
    shown: dict[str, Any] = {}
    if selector.get("matchLabels"):
        shown["matchLabels"] = shown_labels(selector["matchLabels"])
    if selector.get("matchExpressions"):
        shown["matchExpressions"] = [
            {name: each.get(name, "") for name in ("key", "operator")}
            | ({"values": each["values"]} if each.get("values") else {})
            for each in selector["matchExpressions"]
        ]
    return shown


def has_odd_value(selector: Mapping[str, Any] | None) -> bool:
    """Whether an expression names a value that no label can have; an update may keep such a selector."""
    expressions = (selector or {}).get("matchExpressions", ())
    return any(label_value(value) for expression in expressions for value in expression.get("values", ()))

"""When a Job counts as failed and when as done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import Pointer
from windlass.apiserver.validation.job_index import total_of
from windlass.apiserver.validation.names import label_key
from windlass.apiserver.validation.number import NEGATIVE
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

_ACTIONS: Final = ("Count", "FailIndex", "FailJob", "Ignore")
_STATUSES: Final = ("False", "True", "Unknown")
_MOST_RULES: Final = 20
_MOST_CODES: Final = 255
_MOST_PATTERNS: Final = 20
_INDEXES_LENGTH: Final = 64 * 1024

FAILURE: Final = {
    "rules": [
        {
            "action": "",
            "onExitCodes": Pointer({"containerName": None, "operator": "", "values": None}),
            "onPodConditions": [{"type": "", "status": ""}],
        }
    ]
}
SUCCESS: Final = {"rules": [{"succeededIndexes": None, "succeededCount": None}]}


def validate_failure_policy(spec: Fields, path: Path) -> Iterator[Fault]:
    """What the end of a pod means to its job."""
    rules = spec["podFailurePolicy"].get("rules") or ()
    if len(rules) > _MOST_RULES:
        yield Fault.too_many(path, len(rules), _MOST_RULES)
    pod = spec.get("template", {}).get("spec", {})
    names = {
        each.get("name", "") for kind in ("containers", "initContainers") for each in pod.get(kind) or ()
    }
    for index, rule in enumerate(rules):
        where = path.index(index)
        yield from _validate_action(rule.get("action", ""), spec, where.child("action"))
        codes, conditions = rule.get("onExitCodes"), rule.get("onPodConditions", ())
        if codes is not None:
            yield from _validate_codes(codes, names, where.child("onExitCodes"))
        yield from _validate_conditions(conditions, where.child("onPodConditions"))
        if codes is not None and conditions:
            yield _one_of(where, "specifying both OnExitCodes and OnPodConditions is not supported")
        if codes is None and not conditions:
            yield _one_of(where, "specifying one of OnExitCodes and OnPodConditions is required")


def validate_success_policy(spec: Fields, path: Path) -> Iterator[Fault]:
    """Which indexes, or how many, are enough."""
    rules = spec["successPolicy"].get("rules") or ()
    if not rules:
        detail = "at least one rules must be specified when the successPolicy is specified"
        yield Fault.required(path, detail)
    if len(rules) > _MOST_RULES:
        yield Fault.too_many(path, len(rules), _MOST_RULES)
    for index, rule in enumerate(rules):
        yield from _validate_success(rule, spec.get("completions", 0), path.index(index))


def _one_of(path: Path, detail: str) -> Fault:
    return Fault("FieldValueInvalid", str(path), f"Invalid value: {detail}")


def _listed(values: Sequence[str]) -> str:
    return "valid values: [" + " ".join(f'"{value}"' for value in values) + "]"


def _validate_choice(value: str, choices: Sequence[str], path: Path) -> Iterator[Fault]:
    if not value:
        yield Fault.required(path, _listed(choices))
    elif value not in choices:
        yield Fault.not_supported(path, value, choices)


def _validate_action(action: str, spec: Fields, path: Path) -> Iterator[Fault]:
    if action == "FailIndex" and "backoffLimitPerIndex" not in spec:
        yield Fault.invalid(path, action, "requires the backoffLimitPerIndex to be set")
    yield from _validate_choice(action, _ACTIONS, path)


def _validate_codes(codes: Fields, names: set[str], path: Path) -> Iterator[Fault]:
    operator, values = codes.get("operator", ""), codes.get("values") or ()
    yield from _validate_choice(operator, ("In", "NotIn"), path.child("operator"))
    container = codes.get("containerName")
    if container is not None and container not in names:
        detail = "must be one of the container or initContainer names in the pod template"
        yield Fault.invalid(path.child("containerName"), container, detail)
    where = path.child("values")
    if not values:
        yield Fault.invalid(where, codes.get("values"), "at least one value is required")
    elif len(values) > _MOST_CODES:
        yield Fault.too_many(where, len(values), _MOST_CODES)
    for index, value in enumerate(values):
        if operator == "In" and value == 0:
            yield Fault.invalid(where.index(index), value, "must not be 0 for the In operator")
        if value in values[:index]:
            yield Fault.duplicate(where.index(index), value)
    if list(values) != sorted(values):
        yield Fault.invalid(where, values, "must be ordered")


def _validate_conditions(patterns: Sequence[Fields], path: Path) -> Iterator[Fault]:
    if len(patterns) > _MOST_PATTERNS:
        yield Fault.too_many(path, len(patterns), _MOST_PATTERNS)
    for index, pattern in enumerate(patterns):
        kind, where = pattern.get("type", ""), path.index(index)
        for problem in label_key(kind):
            yield Fault.invalid(where.child("type"), kind, problem)
        yield from _validate_choice(pattern.get("status", ""), _STATUSES, where.child("status"))


def _validate_success(rule: Fields, completions: int, path: Path) -> Iterator[Fault]:
    count, indexes = rule.get("succeededCount"), rule.get("succeededIndexes")
    if count is None and indexes is None:
        yield Fault.required(path, "at least one of succeededCount or succeededIndexes must be specified")
    total, problem = total_of(indexes or "", completions)
    if indexes is not None:
        where = path.child("succeededIndexes")
        if len(indexes.encode()) > _INDEXES_LENGTH:
            yield Fault.too_long(where, _INDEXES_LENGTH)
        if problem:
            yield Fault.invalid(where, indexes, f"error parsing succeededIndexes: {problem}")
    if count is None:
        return
    where = path.child("succeededCount")
    if count < 0:
        yield Fault.invalid(where, count, NEGATIVE)
    if count > completions:
        detail = f"must be less than or equal to {completions} (the number of specified completions)"
        yield Fault.invalid(where, count, detail)
    if indexes is not None and count > total:
        of = "(the number of indexes in the specified succeededIndexes field)"
        yield Fault.invalid(where, count, f"must be less than or equal to {total} {of}")

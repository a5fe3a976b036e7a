"""How pods spread over the parts of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.affinity import validate_label_keys
from windlass.apiserver.validation.label import validate_selector
from windlass.apiserver.validation.number import NOT_POSITIVE
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.apiserver.validation.pod_options import PodOptions

    Fields = Mapping[str, Any]

_ACTIONS: Final = ("DoNotSchedule", "ScheduleAnyway")
_POLICIES: Final = ("Honor", "Ignore")


def validate_spread(constraints: Sequence[Fields], path: Path, options: PodOptions) -> Iterator[Fault]:
    """Every topology spread constraint, and that no two say the same."""
    for index, constraint in enumerate(constraints):
        where = path.index(index)
        skew, key = constraint.get("maxSkew", 0), constraint.get("topologyKey", "")
        if skew <= 0:
            yield Fault.invalid(where.child("maxSkew"), skew, NOT_POSITIVE)
        if not key:
            yield Fault.required(where.child("topologyKey"), "can not be empty")
        action = constraint.get("whenUnsatisfiable", "")
        if action not in _ACTIONS:
            yield Fault.not_supported(where.child("whenUnsatisfiable"), action, _ACTIONS)
        if (key, action) in {_identity(other) for other in constraints[index + 1 :]}:
            yield Fault.duplicate(where.child("{topologyKey, whenUnsatisfiable}"), f"{{{key}, {action}}}")
        yield from _validate_domains(constraint, where.child("minDomains"))
        for name in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            policy = constraint.get(name)
            if policy is not None and policy not in _POLICIES:
                yield Fault.not_supported(where.child(name), policy, _POLICIES)
        yield from validate_label_keys(constraint, where)
        if not options.any_spread_selector:
            yield from validate_selector(constraint.get("labelSelector"), where.child("labelSelector"))


def _identity(constraint: Fields) -> tuple[str, str]:
    return constraint.get("topologyKey", ""), constraint.get("whenUnsatisfiable", "")


def _validate_domains(constraint: Fields, path: Path) -> Iterator[Fault]:
    domains, action = constraint.get("minDomains"), constraint.get("whenUnsatisfiable", "")
    if domains is None:
        return
    if domains <= 0:
        yield Fault.invalid(path, domains, NOT_POSITIVE)
    if action != "DoNotSchedule":
        detail = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}"
        yield Fault.invalid(path, domains, detail)

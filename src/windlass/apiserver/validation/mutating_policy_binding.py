"""MutatingAdmissionPolicyBinding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.admission_policy_binding import validate_bound
from windlass.apiserver.validation.mutating_policy import validate_operations
from windlass.schema import Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.schema import Fault

    Object = Mapping[str, Any]

_MATCH: Final = Path("spec").child("matchResources")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A MutatingAdmissionPolicyBinding: its policy, its parameters, and what it is about."""
    yield from validate_bound(obj, old)
    yield from validate_operations(obj.get("spec", {}).get("matchResources") or {}, _MATCH)

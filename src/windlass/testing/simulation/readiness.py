from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from windlass.api import Definition

if TYPE_CHECKING:
    from windlass.api import Resource


class Readiness(NamedTuple):
    """What an object says of itself; `is_fresh` tells whether it speaks of its present generation."""

    is_fresh: bool
    is_ready: bool
    reason: str = ""
    message: str = ""


def readiness(each: Resource) -> Readiness:
    """What an object's ready condition says; of a kind without one, that all is well."""
    status: Any = getattr(each, "status", None)
    observed = getattr(status, "observed_generation", None)
    is_fresh = observed is None or observed == each.metadata.generation
    conditions = getattr(status, "conditions", None)
    if conditions is None:
        return Readiness(is_fresh, is_ready=is_fresh)
    ready = (type(each).__definition__ or Definition()).ready
    for condition in conditions:
        if condition.type == ready:
            is_ready = is_fresh and condition.status == "True"
            return Readiness(is_fresh, is_ready, condition.reason or "", condition.message or "")
    return Readiness(is_fresh=False, is_ready=False)

"""Deployments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import nonnegative, share, validate_at_most_all, validate_share
from windlass.apiserver.validation.workload import (
    SPEC,
    STATUS,
    validate_at_most,
    validate_collisions,
    validate_replicated,
    validate_same_selector,
)
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_STRATEGIES: Final = ("Recreate", "RollingUpdate")
_COUNTS: Final = (
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
)


def validate(obj: Fields, old: Fields | None) -> Iterator[Fault]:
    """A Deployment that is created or updated."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    spec, before = obj.get("spec", {}), None if old is None else old.get("spec", {})
    yield from nonnegative(spec, ("replicas",), SPEC)
    yield from validate_replicated(spec, before, SPEC)
    yield from _validate_strategy(spec.get("strategy", {}), SPEC.child("strategy"))
    yield from nonnegative(spec, ("minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"), SPEC)
    deadline = spec.get("progressDeadlineSeconds")
    if deadline is not None and deadline <= spec.get("minReadySeconds", 0):
        detail = "must be greater than minReadySeconds"
        yield Fault.invalid(SPEC.child("progressDeadlineSeconds"), deadline, detail)
    if before is not None:
        yield from validate_same_selector(spec, before, SPEC)


def validate_status(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A Deployment whose status is written."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    status = obj.get("status", {})
    yield from nonnegative(status, _COUNTS, STATUS)
    yield from validate_at_most(status, ("updatedReplicas", "readyReplicas", "availableReplicas"), "replicas")
    if status.get("availableReplicas", 0) > status.get("readyReplicas", 0):
        detail = "cannot be greater than readyReplicas"
        yield Fault.invalid(STATUS.child("availableReplicas"), status.get("availableReplicas", 0), detail)
    yield from validate_collisions(status, old.get("status", {}))


def _validate_strategy(strategy: Fields, path: Path) -> Iterator[Fault]:
    kind, rolling = strategy.get("type", ""), strategy.get("rollingUpdate")
    if kind == "Recreate":
        if rolling is not None:
            detail = "may not be specified when strategy `type` is 'Recreate'"
            yield Fault.forbidden(path.child("rollingUpdate"), detail)
    elif kind != "RollingUpdate":
        shown = {"Type": kind, "RollingUpdate": None if rolling is None else _shown(rolling)}
        yield Fault.not_supported(path, shown, _STRATEGIES)
    elif rolling is None:
        yield Fault.required(path.child("rollingUpdate"), "this should be defaulted and never be nil")
    else:
        yield from _validate_rolling(rolling, path.child("rollingUpdate"))


def _validate_rolling(rolling: Fields, path: Path) -> Iterator[Fault]:
    unavailable, surge = rolling.get("maxUnavailable", 0), rolling.get("maxSurge", 0)
    yield from validate_share(unavailable, path.child("maxUnavailable"))
    yield from validate_share(surge, path.child("maxSurge"))
    if share(unavailable) == 0 and share(surge) == 0:
        detail = "may not be 0 when `maxSurge` is 0"
        yield Fault.invalid(path.child("maxUnavailable"), unavailable, detail)
    yield from validate_at_most_all(unavailable, path.child("maxUnavailable"))


def _shown(rolling: Fields) -> dict[str, Any]:
    return {"MaxUnavailable": rolling.get("maxUnavailable", 0), "MaxSurge": rolling.get("maxSurge", 0)}

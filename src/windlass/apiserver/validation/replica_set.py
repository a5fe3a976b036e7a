"""ReplicaSets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import nonnegative
from windlass.apiserver.validation.workload import (
    SPEC,
    STATUS,
    validate_at_most,
    validate_replicated,
    validate_same_selector,
)
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_COUNTS: Final = (
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
    "terminatingReplicas",
)


def validate(obj: Fields, old: Fields | None) -> Iterator[Fault]:
    """A ReplicaSet that is created or updated."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    spec, before = obj.get("spec", {}), None if old is None else old.get("spec", {})
    yield from nonnegative(spec, ("replicas", "minReadySeconds"), SPEC)
    yield from validate_replicated(spec, before, SPEC)
    if before is not None:
        yield from validate_same_selector(spec, before, SPEC)


def validate_status(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A ReplicaSet whose status is written."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    yield from validate_replica_counts(obj.get("status", {}))


def validate_replica_counts(status: Fields) -> Iterator[Fault]:
    """The counts in the status of a ReplicaSet or a ReplicationController."""
    yield from nonnegative(status, _COUNTS, STATUS)
    parts = ("fullyLabeledReplicas", "readyReplicas", "availableReplicas")
    yield from validate_at_most(status, parts, "replicas")
    if status.get("availableReplicas", 0) > status.get("readyReplicas", 0):
        detail = "cannot be greater than readyReplicas"
        yield Fault.invalid(STATUS.child("availableReplicas"), status.get("availableReplicas", 0), detail)

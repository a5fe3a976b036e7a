"""Lease."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.meta import validate_plain_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A Lease: it lasts, and it does not count backwards."""
    yield from validate_plain_meta(obj, old, dns_subdomain)
    spec = obj.get("spec", {})
    seconds, transitions = spec.get("leaseDurationSeconds"), spec.get("leaseTransitions")
    if seconds is not None and seconds <= 0:
        yield Fault.invalid(_SPEC.child("leaseDurationSeconds"), seconds, "must be greater than 0")
    if transitions is not None and transitions < 0:
        detail = "must be greater than or equal to 0"
        yield Fault.invalid(_SPEC.child("leaseTransitions"), transitions, detail)

"""Scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import nonnegative
from windlass.schema import Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.schema import Fault

    Object = Mapping[str, Any]


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:  # noqa: ARG001 - it never has an old self
    """A Scale: how many there should be; it is checked as if it were new each time."""
    yield from validate_object_meta(obj, None, dns_subdomain)
    yield from nonnegative(obj.get("spec", {}), ("replicas",), Path("spec"))

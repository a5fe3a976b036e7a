"""ControllerRevisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.meta import IMMUTABLE, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import NEGATIVE
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]


def validate(obj: Fields, old: Fields | None) -> Iterator[Fault]:
    """A ControllerRevision: any object as its data, which never changes."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    if obj.get("revision", 0) < 0:
        yield Fault.invalid("revision", obj["revision"], NEGATIVE)
    data = obj.get("data")
    if old is not None:
        if data != old.get("data"):
            yield Fault.invalid("data", data, IMMUTABLE)
    elif data is None:
        yield Fault.required("data", "data is mandatory")
    elif not isinstance(data, dict):
        yield Fault.required("data", "data must be a valid JSON object")

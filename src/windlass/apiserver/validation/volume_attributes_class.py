"""VolumeAttributesClass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.storage_class import validate_parameters, validate_provisioner
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A VolumeAttributesClass, which never changes."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    for name in ("driverName", "parameters") if old else ():
        if (obj.get(name) or None) != ((old or {}).get(name) or None):
            yield Fault.forbidden(name, f"updates to {name} are forbidden.")
    yield from validate_provisioner(obj.get("driverName", ""), Path("driverName"))
    yield from validate_parameters(obj.get("parameters") or {}, Path("parameters"), may_be_empty=False)

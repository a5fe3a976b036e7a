"""CSIStorageCapacity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.label import has_odd_value, validate_selector
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import NEGATIVE
from windlass.apiserver.validation.resource import quantity
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_TOPOLOGY: Final = Path("nodeTopology")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A CSIStorageCapacity, which is always of one class and of one topology."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    topology, name = obj.get("nodeTopology"), obj.get("storageClassName", "")
    any_values = has_odd_value((old or {}).get("nodeTopology"))
    yield from validate_selector(topology, _TOPOLOGY, any_values=any_values)
    for problem in dns_subdomain(name):
        yield Fault.invalid("storageClassName", name, problem)
    capacity = obj.get("capacity")
    if capacity is not None and quantity(capacity) < 0:
        yield Fault.invalid("capacity", str(quantity(capacity)), NEGATIVE)
    if old is not None:
        yield from validate_unchanged(topology, old.get("nodeTopology"), _TOPOLOGY)
        yield from validate_unchanged(name, old.get("storageClassName", ""), "storageClassName")

"""PriorityClass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.meta import METADATA, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_HIGHEST: Final = 1_000_000_000
_SYSTEM: Final = {"system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000}
_POLICIES: Final = ("PreemptLowerPriority", "Never")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A PriorityClass, whose value and policy stay."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    value, policy = obj.get("value", 0), obj.get("preemptionPolicy")
    if old is not None:
        if value != old.get("value", 0):
            yield Fault.forbidden("value", "may not be changed in an update.")
        yield from validate_unchanged(policy, old.get("preemptionPolicy"), "preemptionPolicy")
        return
    name = obj["metadata"].get("name", "")
    if name.startswith("system-"):
        yield from _validate_system(obj, name, value)
    elif value > _HIGHEST:
        yield Fault.forbidden("value", f"maximum allowed value of a user defined priority is {_HIGHEST}")
    if policy is not None and policy not in _POLICIES:
        required = Fault.required("preemptionPolicy")
        yield Fault.not_supported("preemptionPolicy", policy, _POLICIES) if policy else required


def _validate_system(obj: Object, name: str, value: int) -> Iterator[Fault]:
    if name not in _SYSTEM:
        problem = f"{name} is not a known system priority class"
    elif value != _SYSTEM[name]:
        problem = f"value of {name} PriorityClass must be {_SYSTEM[name]}"
    elif obj.get("globalDefault"):
        problem = f"globalDefault of {name} PriorityClass must be false"
    else:
        return
    detail = f"priority class names with 'system-' prefix are reserved for system use only. error: {problem}"
    yield Fault.forbidden(METADATA.child("name"), detail)

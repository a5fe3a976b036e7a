"""PodDisruptionBudget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.condition import validate_conditions
from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.label import has_odd_value, validate_selector
from windlass.apiserver.validation.meta import METADATA, validate_meta, validate_meta_update
from windlass.apiserver.validation.names import path_segment
from windlass.apiserver.validation.number import nonnegative, validate_at_most_all, validate_share
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_STATUS: Final = Path("status")
_POLICIES: Final = ("AlwaysAllow", "IfHealthyBudget")
_COUNTS: Final = ("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")
_BUDGET: Final = dict.fromkeys(
    ("minAvailable", "selector", "maxUnavailable", "unhealthyPodEvictionPolicy"), None
)


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A PodDisruptionBudget; its kind has no rule for names, so metadata comes last, if all else is well."""
    if old is not None:
        yield from _validate_metadata(obj, old)
    faults = list(_validate_spec(obj.get("spec", {}), (old or {}).get("spec", {})))
    yield from faults
    if old is None and not faults:
        yield from _validate_metadata(obj, None)


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """What is counted, and the conditions."""
    yield from _validate_metadata(obj, old)
    status = obj.get("status", {})
    yield from validate_conditions(status.get("conditions"), _STATUS.child("conditions"))
    yield from nonnegative(status, _COUNTS, _STATUS)


def _validate_metadata(obj: Object, old: Object | None) -> Iterator[Fault]:
    meta = obj.get("metadata", {})
    yield from validate_meta(meta, METADATA, namespaced=True, name_rule=path_segment)
    if old is not None:
        yield from validate_meta_update(meta, old.get("metadata", {}), METADATA)


def _validate_spec(spec: Object, old: Object) -> Iterator[Fault]:
    if spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None:
        detail = "minAvailable and maxUnavailable cannot be both set"
        yield Fault.invalid(_SPEC, as_declared(spec, _BUDGET), detail)
    for name in ("minAvailable", "maxUnavailable"):
        value = spec.get(name)
        if value is not None:
            yield from validate_share(value, _SPEC.child(name))
            yield from validate_at_most_all(value, _SPEC.child(name))
    any_values = has_odd_value(old.get("selector"))
    yield from validate_selector(spec.get("selector"), _SPEC.child("selector"), any_values=any_values)
    policy = spec.get("unhealthyPodEvictionPolicy")
    if policy is not None and policy not in _POLICIES:
        yield Fault.not_supported(_SPEC.child("unhealthyPodEvictionPolicy"), policy, _POLICIES)

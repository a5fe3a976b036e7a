"""HorizontalPodAutoscaler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.autoscaler_metric import (
    api_version,
    validate_metric,
    validate_reference,
    validate_target,
)
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import NEGATIVE, NOT_POSITIVE, nonnegative
from windlass.apiserver.validation.resource import quantity
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_METRICS: Final = _SPEC.child("metrics")
_SELECTIONS: Final = ("Disabled", "Max", "Min")
_POLICIES: Final = ("Percent", "Pods")
_LONGEST_PERIOD: Final = 1800
_LONGEST_WINDOW: Final = 3600


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A HorizontalPodAutoscaler of either version."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    spec, before = obj.get("spec", {}), (old or {}).get("spec", {})
    yield from _validate_bounds(spec, least=0 if before.get("minReplicas") == 0 else 1)
    yield from _validate_scaled(spec.get("scaleTargetRef", {}), before.get("scaleTargetRef"))
    yield from _validate_metrics(spec, before)
    behavior = spec.get("behavior") or {}
    for name in ("scaleUp", "scaleDown"):
        if behavior.get(name) is not None:
            yield from _validate_rules(behavior[name], _SPEC.child("behavior", name))


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """How many pods there are, and how many there should be."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    yield from nonnegative(obj.get("status", {}), ("currentReplicas", "desiredReplicas"), Path("status"))


def _validate_bounds(spec: Object, *, least: int) -> Iterator[Fault]:
    low, high = spec.get("minReplicas"), spec.get("maxReplicas", 0)
    path = _SPEC.child("maxReplicas")
    if low is not None and low < least:
        yield Fault.invalid(_SPEC.child("minReplicas"), low, f"must be greater than or equal to {least}")
    if high == 0:
        yield Fault.required(path, "must be set and greater than 0")
    elif high < 0:
        yield Fault.invalid(path, high, "must be greater than or equal to 1")
    if low is not None and high < low:
        yield Fault.invalid(path, high, "must be greater than or equal to `minReplicas`")


def _validate_scaled(target: Object, old: Object | None) -> Iterator[Fault]:
    same = old is not None and all(target.get(name) == old.get(name) for name in ("apiVersion", "kind"))
    core = target.get("kind") == "ReplicationController"  # the only kind of the core group that scales
    path = _SPEC.child("scaleTargetRef")
    yield from validate_reference(target, path, any_version=same, any_group=core)


def _validate_metrics(spec: Object, old: Object) -> Iterator[Fault]:
    described = [(metric.get("object") or {}).get("describedObject") for metric in old.get("metrics") or ()]
    any_version = any(each is not None and api_version(each, any_group=True) for each in described)
    metrics = spec.get("metrics") or ()
    for index, metric in enumerate(metrics):
        yield from validate_metric(metric, _METRICS.index(index), any_version=any_version)
    usage = spec.get("targetCPUUtilizationPercentage")
    if usage is not None:  # version 1 has this in place of metrics
        target = {"type": "Utilization", "averageUtilization": usage}
        yield from validate_target(target, _METRICS.index(0).child("resource", "target"))
    external = any(metric.get("type") in ("Object", "External") for metric in metrics)
    if spec.get("minReplicas") == 0 and not external:
        detail = "must specify at least one Object or External metric to support scaling to zero replicas"
        yield Fault.forbidden(_METRICS, detail)


def _validate_rules(rules: Object, path: Path) -> Iterator[Fault]:
    window, selection = rules.get("stabilizationWindowSeconds"), rules.get("selectPolicy")
    where = path.child("stabilizationWindowSeconds")
    if window is not None and window < 0:
        yield Fault.invalid(where, window, "must be greater than or equal to zero")
    if window is not None and window > _LONGEST_WINDOW:
        yield Fault.invalid(where, window, f"must be less than or equal to {_LONGEST_WINDOW}")
    if selection is not None and selection not in _SELECTIONS:
        yield Fault.not_supported(path.child("selectPolicy"), selection, _SELECTIONS)
    if not rules.get("policies"):
        yield Fault.required(path.child("policies"), "must specify at least one Policy")
    for index, policy in enumerate(rules.get("policies") or ()):
        yield from _validate_policy(policy, path.child("policies").index(index))
    tolerance = rules.get("tolerance")
    if tolerance is not None and quantity(tolerance) < 0:
        yield Fault.invalid(path.child("tolerance"), str(quantity(tolerance)), NEGATIVE)


def _validate_policy(policy: Object, path: Path) -> Iterator[Fault]:
    kind, period = policy.get("type", ""), policy.get("periodSeconds", 0)
    if kind not in _POLICIES:
        yield Fault.not_supported(path.child("type"), kind, _POLICIES)
    if policy.get("value", 0) <= 0:
        yield Fault.invalid(path.child("value"), policy.get("value", 0), NOT_POSITIVE)
    if period <= 0:
        yield Fault.invalid(path.child("periodSeconds"), period, NOT_POSITIVE)
    if period > _LONGEST_PERIOD:
        detail = f"must be less than or equal to {_LONGEST_PERIOD}"
        yield Fault.invalid(path.child("periodSeconds"), period, detail)

"""DaemonSets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.label import has_odd_value, shown_selector, validate_selector
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import nonnegative, share, validate_at_most_all, validate_share
from windlass.apiserver.validation.pod_template import validate_template
from windlass.apiserver.validation.workload import (
    SPEC,
    STATUS,
    validate_collisions,
    validate_forever,
    validate_labels_match,
    validate_same_selector,
)
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_STRATEGIES: Final = ("RollingUpdate", "OnDelete")
_COUNTS: Final = (
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
)


def validate(obj: Fields, old: Fields | None) -> Iterator[Fault]:
    """A DaemonSet that is created or updated."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    spec, before = obj.get("spec", {}), None if old is None else old.get("spec", {})
    if before is not None:
        yield from validate_same_selector(spec, before, SPEC)
    yield from _validate_selector(spec, before)
    template, path = spec.get("template", {}), SPEC.child("template")
    yield from validate_template(template, None if before is None else before.get("template", {}), path)
    yield from validate_forever(template, path, "DaemonSet")
    yield from nonnegative(spec, ("minReadySeconds",), SPEC)
    yield from _validate_strategy(spec.get("updateStrategy", {}), SPEC.child("updateStrategy"))
    yield from nonnegative(spec, ("revisionHistoryLimit",), SPEC)


def validate_status(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A DaemonSet whose status is written."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    yield from nonnegative(obj.get("status", {}), _COUNTS, STATUS)
    yield from validate_collisions(obj.get("status", {}), old.get("status", {}))


def _validate_selector(spec: Fields, before: Fields | None) -> Iterator[Fault]:
    selector, path = spec.get("selector"), SPEC.child("selector")
    any_values = before is not None and has_odd_value(before.get("selector"))
    yield from validate_selector(selector, path, any_values=any_values)
    if not any(validate_selector(selector, path)):
        yield from validate_labels_match(spec, spec.get("template", {}), SPEC.child("template"))
    if selector is not None and not selector.get("matchLabels") and not selector.get("matchExpressions"):
        yield Fault.invalid(path, shown_selector(selector), "empty selector is invalid for daemonset")


def _validate_strategy(strategy: Fields, path: Path) -> Iterator[Fault]:
    kind, rolling = strategy.get("type", ""), strategy.get("rollingUpdate")
    if kind == "OnDelete":
        return
    if kind != "RollingUpdate":
        shown = {"Type": kind, "RollingUpdate": None if rolling is None else _shown(rolling)}
        yield Fault.not_supported(path, shown, _STRATEGIES)
    elif rolling is None:
        yield Fault.required(path.child("rollingUpdate"))
    else:
        yield from _validate_rolling(rolling, path.child("rollingUpdate"))


def _validate_rolling(rolling: Fields, path: Path) -> Iterator[Fault]:
    unavailable, surge = rolling.get("maxUnavailable", 0), rolling.get("maxSurge", 0)
    for check in (validate_share, validate_at_most_all):
        yield from check(unavailable, path.child("maxUnavailable"))
        yield from check(surge, path.child("maxSurge"))
    if share(unavailable) and share(surge):
        yield Fault.invalid(path.child("maxSurge"), surge, "may not be set when maxUnavailable is non-zero")
    elif not share(unavailable) and not share(surge):
        yield Fault.required(path.child("maxUnavailable"), "cannot be 0 when maxSurge is 0")


def _shown(rolling: Fields) -> dict[str, Any]:
    return {"MaxUnavailable": rolling.get("maxUnavailable", 0), "MaxSurge": rolling.get("maxSurge", 0)}

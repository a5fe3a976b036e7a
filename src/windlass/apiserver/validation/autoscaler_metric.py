"""What a HorizontalPodAutoscaler measures, and what it refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import dns_label, path_segment
from windlass.apiserver.validation.resource import container_resource, quantity
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_TYPES: Final = {
    "ContainerResource": "containerResource",
    "External": "external",
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
}
_SOURCES: Final = ("object", "external", "pods", "resource", "containerResource")
_TARGETS: Final = ("Utilization", "Value", "AverageValue")


def validate_metric(metric: Object, path: Path, *, any_version: bool) -> Iterator[Fault]:
    """One metric, from the one source that its type names."""
    kind = metric.get("type", "")
    if not kind:
        yield Fault.required(path.child("type"), "must specify a metric source type")
    if kind not in _TYPES:
        yield Fault.not_supported(path.child("type"), kind, _TYPES)
    given = [name for name in _SOURCES if metric.get(name) is not None]
    if given:
        source = given[0]
        yield from _validate_source(source, metric[source], path.child(source), any_version=any_version)
    expected = _TYPES.get(kind)
    if expected is not None and expected not in given:
        detail = "must populate information for the given metric source"
        yield Fault.required(path.child(expected), detail)
    for name in given if len(given) > 1 else ():
        if name != expected:
            yield Fault.forbidden(path.child(name), "must populate the given metric source only")


def validate_target(target: Object, path: Path) -> Iterator[Fault]:
    """The value that a metric should have."""
    kind = target.get("type", "")
    if not kind:
        yield Fault.required(path.child("type"), "must specify a metric target type")
    if kind not in _TARGETS:
        detail = "must be either Utilization, Value, or AverageValue"
        yield Fault.invalid(path.child("type"), kind, detail)
    for name in ("value", "averageValue"):
        amount = target.get(name)
        if amount is not None and quantity(amount) <= 0:
            yield Fault.invalid(path.child(name), str(quantity(amount)), "must be positive")
    usage = target.get("averageUtilization")
    if usage is not None and usage < 1:
        yield Fault.invalid(path.child("averageUtilization"), usage, "must be greater than 0")


def validate_reference(
    reference: Object, path: Path, *, any_version: bool = False, any_group: bool = False
) -> Iterator[Fault]:
    """An object by version, kind and name; an update may keep an odd version."""
    for name in ("kind", "name"):
        value = reference.get(name, "")
        if not value:
            yield Fault.required(path.child(name))
        for problem in path_segment(value):
            yield Fault.invalid(path.child(name), value, problem)
    problem = "" if any_version else api_version(reference, any_group=any_group)
    if problem:
        yield Fault.invalid(path.child("apiVersion"), reference.get("apiVersion", ""), problem)


def api_version(reference: Object, *, any_group: bool) -> str:
    """What is wrong with the version of a referenced object; the core group is one of `any_group`."""
    version = reference.get("apiVersion", "")
    if version.count("/") > 1:
        return f"unexpected GroupVersion string: {version}"
    group, _, _ = version.rpartition("/")
    return "" if group or any_group else "apiVersion must specify API group"


def _validate_source(name: str, source: Object, path: Path, *, any_version: bool) -> Iterator[Fault]:
    if name == "object":
        reference = source.get("describedObject", {})
        where = path.child("describedObject")
        yield from validate_reference(reference, where, any_version=any_version, any_group=True)
    if name in ("resource", "containerResource"):
        yield from _validate_resource(source, path, inside=name == "containerResource")
    else:
        yield from _validate_name(source.get("metric", {}).get("name", ""), path.child("metric", "name"))
    target = source.get("target", {})
    yield from validate_target(target, path.child("target"))
    yield from _validate_choice(name, target, path.child("target"))


def _validate_name(name: str, path: Path) -> Iterator[Fault]:
    if not name:
        yield Fault.required(path, "must specify a metric name")
    for problem in path_segment(name):
        yield Fault.invalid(path, name, problem)


def _validate_resource(source: Object, path: Path, *, inside: bool) -> Iterator[Fault]:
    name = source.get("name", "")
    if not name:
        yield Fault.required(path.child("name"), "must specify a resource name")
    if not inside:
        return
    for problem in container_resource(name) if name else ():
        yield Fault.invalid(path.child("name"), name, problem)
    container = source.get("container", "")
    if not container:
        yield Fault.required(path.child("container"), "must specify a container")
    for problem in dns_label(container) if container else ():
        yield Fault.invalid(path.child("container"), container, problem)


def _validate_choice(source: str, target: Object, path: Path) -> Iterator[Fault]:
    """Which of the values a target may have, by its source."""
    value, average, usage = (
        target.get(name) is not None for name in ("value", "averageValue", "averageUtilization")
    )
    if source == "pods" and not average:
        yield Fault.required(path.child("averageValue"), "must specify a positive target averageValue")
    elif source == "object" and not (value or average):
        yield Fault.required(path.child("averageValue"), "must set either a target value or averageValue")
    elif source == "external":
        if not (value or average):
            detail = "must set either a target value for metric or a per-pod target"
            yield Fault.required(path.child("averageValue"), detail)
        if value and average:
            detail = "may not set both a target value for metric and a per-pod target"
            yield Fault.forbidden(path.child("value"), detail)
    elif source in ("resource", "containerResource"):
        if not (usage or average):
            detail = "must set either a target raw value or a target utilization"
            yield Fault.required(path.child("averageUtilization"), detail)
        if usage and average:
            detail = "may not set both a target raw value and a target utilization"
            yield Fault.forbidden(path.child("averageValue"), detail)

"""The metrics of an autoscaler: as v2 of its group has them, and as v1 keeps them in annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.resource import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

Metric = dict[str, Any]

_VALUE: Final = "{}.value"
_AVERAGE: Final = "{}.averageValue"
_RESOURCE: Final = (
    ("name", "name"),
    ("{}AverageUtilization", "{}.averageUtilization"),
    ("{}AverageValue", _AVERAGE),
)
_FIELDS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "object": (
        ("target", "describedObject"),
        ("metricName", "metric.name"),
        ("{}Value", _VALUE),
        ("selector", "metric.selector"),
        ("averageValue", _AVERAGE),
    ),
    "pods": (
        ("metricName", "metric.name"),
        ("{}AverageValue", _AVERAGE),
        ("selector", "metric.selector"),
    ),
    "resource": _RESOURCE,
    "containerResource": (*_RESOURCE, ("container", "container")),
    "external": (
        ("metricName", "metric.name"),
        ("metricSelector", "metric.selector"),
        ("{}Value", _VALUE),
        ("{}AverageValue", _AVERAGE),
    ),
}
"""For each sort, its fields in v1, in the order in which Go writes them, and where v2 has them.

`{}` is `target` in a spec and `current` in a status.
"""

_NEVER_ABSENT: Final = frozenset(
    {
        ("object", "targetValue"),
        ("pods", "targetAverageValue"),
        ("object", "currentValue"),
        ("pods", "currentAverageValue"),
        ("resource", "currentAverageValue"),
        ("containerResource", "currentAverageValue"),
        ("external", "currentValue"),
    }
)
"""Amounts that v1 writes as zero where there is none."""


def to_old(metric: Metric, side: str) -> Metric:
    """A metric of v2 as v1 has it; `side` is `target` or `current`."""
    old: Metric = {"type": metric.get("type", "")}
    for sort, fields in _FIELDS.items():
        given = metric.get(sort)
        if given is None:
            continue
        old[sort] = {}
        for pattern, where in fields:
            name = pattern.format(side)
            value = _at(given, where.format(side))
            if value is not None:
                old[sort][name] = value
            elif (sort, name) in _NEVER_ABSENT:
                old[sort][name] = "0"
    return old


def to_new(old: Metric, side: str) -> Metric:
    """A metric of v1 as v2 has it; `side` is `target` or `current`."""
    metric: Metric = {"type": old.get("type", "")}
    for sort, fields in _FIELDS.items():
        given = old.get(sort)
        if given is None:
            continue
        found: Metric = {}
        for pattern, where in fields:
            value = given.get(pattern.format(side))
            if value is not None:
                _put(found, where.format(side), value)
        if side == "target":
            _type(sort, found.setdefault("target", {}))
        metric[sort] = found
    return metric


def _type(sort: str, target: Metric) -> None:
    """v1 does not say what sort of target it is; what is there tells."""
    average = "averageValue" in target
    if sort in ("resource", "containerResource"):
        target["type"] = "Utilization" if "averageUtilization" in target else "AverageValue"
    elif sort == "pods":
        target["type"] = "AverageValue"
    elif sort == "external":
        target["type"] = "Value" if "value" in target else "AverageValue"
    else:
        target["type"] = "AverageValue" if average else "Value"
        if average and not quantity(target.get("value", "0")).to_decimal():
            target.pop("value", None)


def _at(value: Any, path: str) -> Any:
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _put(value: Metric, path: str, item: Any) -> None:
    *steps, last = path.split(".")
    for step in steps:
        value = value.setdefault(step, {})
    value[last] = item

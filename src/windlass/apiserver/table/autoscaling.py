"""Rows of autoscalers and scales."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.table.age import UNKNOWN
from windlass.apiserver.table.layout import NONE, UNSET, Column, KindLayout, columns
from windlass.apiserver.table.text import age, name, part

if TYPE_CHECKING:
    from datetime import datetime

    Object = dict[str, Any]

_MOST: Final = 2
_FIELDS: Final = {
    "External": "external",
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
    "ContainerResource": "containerResource",
}


def _autoscaler(obj: Object, now: datetime) -> list[Any]:
    spec, status = part(obj, "spec"), part(obj, "status")
    target = part(spec, "scaleTargetRef")
    least = spec.get("minReplicas")
    return [
        name(obj),
        f"{target.get('kind', '')}/{target.get('name', '')}",
        _targets(*_metrics(obj)),
        UNSET if least is None else str(least),
        spec.get("maxReplicas", 0),
        status.get("currentReplicas", 0),
        age(obj, now),
    ]


def _metrics(obj: Object) -> tuple[list[Object], list[Object]]:
    """What is measured, wanted and found; autoscaling/v1 knows nothing but the use of the CPU."""
    spec, status = part(obj, "spec"), part(obj, "status")
    percent = spec.get("targetCPUUtilizationPercentage")
    if percent is None:
        return spec.get("metrics") or [], status.get("currentMetrics") or []
    wanted = {"name": "cpu", "target": {"averageUtilization": percent}}
    used = status.get("currentCPUUtilizationPercentage")
    found = {"name": "cpu", "current": {"averageUtilization": used}}
    specs: list[Object] = [{"type": "Resource", "resource": wanted}]
    return specs, [] if used is None else [{"type": "Resource", "resource": found}]


def _targets(specs: list[Object], statuses: list[Object]) -> str:
    if not specs:
        return NONE
    texts = []
    for index, spec in enumerate(specs):
        field = _FIELDS.get(spec.get("type", ""))
        if field is None:
            texts.append("<unknown type>")
            continue
        found = statuses[index].get(field) if index < len(statuses) else None
        texts.append(_target(spec["type"], part(spec, field), found))
    shown = ", ".join(texts[:_MOST])
    return f"{shown} + {len(texts) - _MOST} more..." if len(texts) > _MOST else shown


def _target(kind: str, spec: Object, found: Object | None) -> str:
    """One metric as `current/wanted`."""
    wanted = part(spec, "target")
    current = part(found, "current") if found is not None else None
    if kind == "Pods":
        return f"{_value(current, 'averageValue', '0')}/{wanted.get('averageValue', '0')}"
    if kind in ("External", "Object"):
        if wanted.get("averageValue") is not None:
            return f"{_value(current, 'averageValue')}/{wanted['averageValue']} (avg)"
        return f"{_value(current, 'value', '0')}/{wanted.get('value', '0')}"
    if wanted.get("averageValue") is not None:
        return f"{spec.get('name', '')}: {_value(current, 'averageValue', '0')}/{wanted['averageValue']}"
    percent = wanted.get("averageUtilization")
    target = "<auto>" if percent is None else f"{percent}%"
    used = (current or {}).get("averageUtilization")
    return f"{spec.get('name', '')}: {UNKNOWN if used is None else f'{used}%'}/{target}"


def _value(current: Object | None, key: str, absent: str = UNKNOWN) -> str:
    """What was measured: unknown where nothing was, `absent` where something else was."""
    if current is None:
        return UNKNOWN
    found = current.get(key)
    return absent if found is None else str(found)


def _scale(obj: Object, now: datetime) -> list[Any]:
    numbers = [part(obj, each).get("replicas", 0) for each in ("spec", "status")]
    return [name(obj), *numbers, age(obj, now)]


HORIZONTAL_POD_AUTOSCALER: Final = KindLayout(
    columns("Name", "Reference", "Targets", "MinPods", "MaxPods", "Replicas", "Age"), _autoscaler
)
SCALE: Final = KindLayout((Column("Name"), *columns("Desired:integer", "Available:integer", "Age")), _scale)

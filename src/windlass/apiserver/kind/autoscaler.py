from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import orjson
from typing_extensions import override

from windlass.apiserver.kind.autoscaler_metric import to_new, to_old
from windlass.apiserver.kind.converted import ConvertedTraits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windlass.apiserver.resource import Resource
    from windlass.apiserver.world import World
    from windlass.schema import Fault

Object = dict[str, Any]

_PREFIX: Final = "autoscaling.alpha.kubernetes.io/"
_METRICS: Final = f"{_PREFIX}metrics"
_CURRENT: Final = f"{_PREFIX}current-metrics"
_BEHAVIOR: Final = f"{_PREFIX}behavior"
_CONDITIONS: Final = f"{_PREFIX}conditions"
_KEPT: Final = (_METRICS, _CURRENT, _BEHAVIOR, _CONDITIONS)
_RULES: Final = ("stabilizationWindowSeconds", "selectPolicy", "policies", "tolerance")
_POLICY: Final = ("type", "value", "periodSeconds")
_CONDITION: Final = ("type", "status", "lastTransitionTime", "reason", "message")
_USUAL_UTILIZATION: Final = 80


class AutoscalerTraits(ConvertedTraits):
    """An autoscaler is stored as v2; v1 knows one metric, and keeps the others in annotations."""

    versions = ("autoscaling/v2", "autoscaling/v1")

    @override
    def validate(self, obj: Object, old: Object | None, subresource: str) -> Iterable[Fault]:
        if self.is_stored:
            return super().validate(obj, old, subresource)
        before = None if old is None else self.to_stored(old)
        return super().validate(self.to_stored(obj), before, subresource)

    @override
    def finished(self, resource: Resource, obj: Object) -> Object:
        whole = super().finished(resource, obj)
        return whole if self.is_stored else self.from_stored(self.to_stored(whole))

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        with self._stored(obj) as stored:
            super().prepare_create(stored, world)

    @override
    def prepare_update(self, obj: Object, old: Object, world: World) -> None:
        with self._stored(obj) as stored, self._stored(old) as before:
            super().prepare_update(stored, before, world)

    @override
    def prepare_status(self, obj: Object, old: Object, world: World) -> None:
        with self._stored(obj) as stored, self._stored(old) as before:
            super().prepare_status(stored, before, world)

    @contextmanager
    def _stored(self, obj: Object) -> Iterator[Object]:
        """An object as it is stored, for a while: there the annotations of v1 are fields, spec and status."""
        if self.is_stored:
            yield obj
            return
        stored = self.to_stored(obj)
        yield stored
        shown = self.from_stored(stored)
        obj.clear()
        obj.update(shown)

    @override
    def to_stored(self, obj: Object) -> Object:
        meta, kept = _without_kept(obj.get("metadata") or {})
        spec, status = dict(obj.get("spec") or {}), dict(obj.get("status") or {})
        utilization = spec.pop("targetCPUUtilizationPercentage", None)
        metrics = [to_new(each, "target") for each in _read(kept, _METRICS)]
        if utilization is not None or not metrics:
            metrics.append(_cpu(_USUAL_UTILIZATION if utilization is None else utilization))
        spec["metrics"] = metrics
        behavior = _read(kept, _BEHAVIOR)
        if behavior:
            spec["behavior"] = _lowered(behavior)
        current = status.pop("currentCPUUtilizationPercentage", None)
        if _CURRENT in kept:
            status["currentMetrics"] = [to_new(each, "current") for each in _read(kept, _CURRENT)]
        elif current is not None:
            resource = {"name": "cpu", "current": {"averageUtilization": current}}
            status["currentMetrics"] = [{"type": "Resource", "resource": resource}]
        if _CONDITIONS in kept:
            status["conditions"] = _read(kept, _CONDITIONS)
        return {**obj, "metadata": meta, "spec": spec, "status": status}

    @override
    def from_stored(self, obj: Object) -> Object:
        meta, _ = _without_kept(obj.get("metadata") or {})
        spec, status = dict(obj.get("spec") or {}), dict(obj.get("status") or {})
        metrics, behavior = spec.pop("metrics", None) or [], spec.pop("behavior", None)
        current, conditions = status.pop("currentMetrics", None) or [], status.pop("conditions", None)
        kept: Object = {}
        others = [to_old(each, "target") for each in metrics if _utilization(each, "target") is None]
        if others:
            kept[_METRICS] = others
        if current:
            kept[_CURRENT] = [to_old(each, "current") for each in current]
        if behavior is not None:
            kept[_BEHAVIOR] = _raised(behavior)
        if conditions:
            kept[_CONDITIONS] = [
                {name: each[name] for name in _CONDITION if name in each} for each in conditions
            ]
        if kept:
            annotations = {name: _go_json(value) for name, value in kept.items()}
            meta["annotations"] = {**meta.get("annotations", {}), **annotations}
        _set_first(spec, "targetCPUUtilizationPercentage", (_utilization(each, "target") for each in metrics))
        _set_first(
            status, "currentCPUUtilizationPercentage", (_utilization(each, "current") for each in current)
        )
        return {**obj, "metadata": meta, "spec": spec, "status": status}


def _without_kept(metadata: Object) -> tuple[Object, Object]:
    """Metadata without the annotations in which v1 keeps what it has no fields for, and those."""
    annotations = metadata.get("annotations") or {}
    kept = {name: annotations[name] for name in _KEPT if name in annotations}
    if not kept:
        return dict(metadata), kept
    rest = {name: value for name, value in annotations.items() if name not in kept}
    bare = {name: value for name, value in metadata.items() if name != "annotations"}
    return (bare | {"annotations": rest} if rest else bare), kept


def _read(kept: Object, name: str) -> Any:
    """What an annotation holds; what cannot be read is nothing."""
    try:
        return orjson.loads(kept[name])
    except (KeyError, ValueError):
        return []


def _go_json(value: Any) -> str:
    """JSON as Go writes it, which shields what means something in HTML."""
    text = orjson.dumps(value).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _cpu(utilization: int) -> Object:
    target = {"type": "Utilization", "averageUtilization": utilization}
    return {"type": "Resource", "resource": {"name": "cpu", "target": target}}


def _utilization(metric: Object, side: str) -> int | None:
    """The utilization of the processor that a metric is about, if it is about that."""
    resource = metric.get("resource")
    if metric.get("type") != "Resource" or not resource or resource.get("name") != "cpu":
        return None
    found: int | None = (resource.get(side) or {}).get("averageUtilization")
    return found


def _set_first(part: Object, name: str, values: Iterable[int | None]) -> None:
    found = next((value for value in values if value is not None), None)
    if found is not None:
        part[name] = found


def _raised(behavior: Object) -> Object:
    """A behaviour in the names of Go, in which v1 keeps it."""
    return {_capital(side): _raised_rules(behavior.get(side)) for side in ("scaleUp", "scaleDown")}


def _raised_rules(rules: Object | None) -> Object | None:
    if rules is None:
        return None
    policies = [{_capital(name): each.get(name) for name in _POLICY} for each in rules.get("policies") or ()]
    return {_capital(name): policies if name == "policies" else rules.get(name) for name in _RULES}


def _lowered(value: Any) -> Any:
    """Structures of Go in the names of JSON, without what is null."""
    if isinstance(value, list):
        return [_lowered(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name[:1].lower() + name[1:]: _lowered(each) for name, each in value.items() if each is not None}


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.quota.amount import ONE, Amounts
from windlass.apiserver.quota.meter import Meter
from windlass.apiserver.quota.pod_need import limits_of, requests_of
from windlass.apiserver.validation.quality import quality_of
from windlass.apiserver.validation.resource import is_extended, is_native

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.apiserver.quota.scope import Scope

Object = dict[str, Any]

_COMPUTE: Final = ("cpu", "memory", "ephemeral-storage")
_PAGES: Final = "hugepages-"
_DEVICES: Final = "deviceclass.resource.kubernetes.io/"
_REQUESTS: Final = "requests."
_LIMITS: Final = "limits."
_SAID: Final = frozenset(
    f"{prefix}{name}" for prefix in ("", _REQUESTS, _LIMITS) for name in ("cpu", "memory")
)
"""What every container must say when it is limited."""
_ENDED: Final = ("Succeeded", "Failed")


class PodMeter(Meter):
    """A pod uses what its containers ask for, until it has ended."""

    alike = False

    def __init__(self, group: str, plural: str) -> None:
        super().__init__(group, plural)
        compute = {f"{prefix}{name}" for prefix in ("", _REQUESTS, _LIMITS) for name in _COMPUTE}
        self.names = frozenset({self.count, "pods"} | compute)

    @override
    def measures(self, name: str) -> bool:
        if name in self.names or name.startswith((_PAGES, _REQUESTS + _PAGES, _REQUESTS + _DEVICES)):
            return True
        return name.startswith(_REQUESTS) and not is_native(name)

    @override
    def handles(self, subresource: str, obj: Object, old: Object | None) -> bool:
        if subresource or old is None:
            return subresource == ("" if old is None else "resize")
        return _has_deadline(obj) != _has_deadline(old)

    @override
    def usage(self, obj: Object, now: datetime) -> Amounts:
        if _has_ended(obj, now):
            return {self.count: ONE}
        return {self.count: ONE, "pods": ONE, **_counted(requests_of(obj), limits_of(obj))}

    @override
    def matches(self, scope: Scope, obj: Object) -> bool:
        match scope.name:
            case "Terminating" | "NotTerminating":
                return _has_deadline(obj) == (scope.name == "Terminating")
            case "BestEffort" | "NotBestEffort":
                quality = obj.get("status", {}).get("qosClass") or quality_of(obj["spec"])
                return (quality == "BestEffort") == (scope.name == "BestEffort")
            case "PriorityClass":
                return scope.selects(obj["spec"].get("priorityClassName", ""))
            case "CrossNamespacePodAffinity":
                return _looks_elsewhere(obj["spec"].get("affinity") or {})
        return False

    @override
    def unsaid(self, names: Iterable[str], obj: Object) -> str:
        spec = obj["spec"]
        if _speaks_for_all(spec.get("resources") or {}):
            return ""
        missing: dict[str, set[str]] = {}
        for container in (*spec["containers"], *(spec.get("initContainers") or ())):
            resources = container.get("resources") or {}
            said = _counted(resources.get("requests") or {}, resources.get("limits") or {})
            for name in _SAID.intersection(names).difference(said):
                missing.setdefault(name, set()).add(container["name"])
        told = (f"{name} for: {','.join(sorted(missing[name]))}" for name in sorted(missing))
        return f"must specify {'; '.join(told)}" if missing else ""


def _counted(requests: Mapping[str, Any], limits: Mapping[str, Any]) -> dict[str, Any]:
    """Requests and limits by the names under which quotas know them."""
    found: dict[str, Any] = {}
    for name, amount in requests.items():
        if name in _COMPUTE or name.startswith(_PAGES):
            found[name] = found[_REQUESTS + name] = amount
        elif is_extended(name) or name.startswith(_DEVICES):
            found[_REQUESTS + name] = amount
    return found | {_LIMITS + name: limits[name] for name in _COMPUTE if name in limits}


def _speaks_for_all(resources: Mapping[str, Any]) -> bool:
    """Whether a pod says as a whole what it needs."""
    named = [*(resources.get("requests") or ()), *(resources.get("limits") or ())]
    return any(name in ("cpu", "memory") or name.startswith(_PAGES) for name in named)


def _has_deadline(pod: Object) -> bool:
    seconds = pod["spec"].get("activeDeadlineSeconds")
    return seconds is not None and seconds >= 0


def _has_ended(pod: Object, now: datetime) -> bool:
    """Whether a pod uses nothing any more: its containers have ended, or should have long ago."""
    if pod.get("status", {}).get("phase") in _ENDED:
        return True
    meta = pod["metadata"]
    ending, grace = meta.get("deletionTimestamp"), meta.get("deletionGracePeriodSeconds")
    if ending is None or grace is None:
        return False
    return now > datetime.fromisoformat(ending) + timedelta(seconds=grace)


def _looks_elsewhere(affinity: Mapping[str, Any]) -> bool:
    """Whether a pod is placed by pods of other namespaces."""
    for side in ("podAffinity", "podAntiAffinity"):
        rules = affinity.get(side) or {}
        required = rules.get("requiredDuringSchedulingIgnoredDuringExecution") or ()
        preferred = rules.get("preferredDuringSchedulingIgnoredDuringExecution") or ()
        for term in (*required, *(each["podAffinityTerm"] for each in preferred)):
            if term.get("namespaces") or term.get("namespaceSelector") is not None:
                return True
    return False

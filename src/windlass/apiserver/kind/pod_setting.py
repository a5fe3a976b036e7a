"""What the server reads out of a new pod, and writes where those look who need it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.apparmor import PROFILE, profile_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Object = dict[str, Any]

_CONTAINERS: Final = ("initContainers", "containers", "ephemeralContainers")


def merge_label_keys(pod: Object) -> None:
    """Turn label keys, of affinity and of spreading, into requirements on the values that the pod has."""
    spec = pod["spec"]
    labels = pod["metadata"].get("labels") or {}
    for term in _terms(spec.get("affinity") or {}):
        _require(term, "matchLabelKeys", "In", labels)
        _require(term, "mismatchLabelKeys", "NotIn", labels)
    for constraint in spec.get("topologySpreadConstraints") or ():
        _require(constraint, "matchLabelKeys", "In", labels)


def read_profiles(pod: Object) -> None:
    """Take AppArmor profiles from their annotations where the fields are empty."""
    annotations = pod["metadata"].get("annotations") or {}
    if not any(key.startswith(PROFILE) for key in annotations):
        return
    spec = pod["spec"]
    if (spec.get("os") or {}).get("name") == "windows":
        return
    whole = (spec.get("securityContext") or {}).get("appArmorProfile")
    for container in _containers(spec):
        profile = profile_of(annotations.get(PROFILE + container["name"]))
        context = container.get("securityContext") or {}
        if profile is not None and profile != whole and context.get("appArmorProfile") is None:
            container["securityContext"] = {**context, "appArmorProfile": profile}


def _containers(spec: Mapping[str, Any]) -> Iterator[Object]:
    """All containers of a pod, those that start it first."""
    for field in _CONTAINERS:
        yield from spec.get(field) or ()


def _terms(affinity: Mapping[str, Any]) -> Iterator[Object]:
    for name in ("podAffinity", "podAntiAffinity"):
        part = affinity.get(name) or {}
        for weighted in part.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
            yield weighted["podAffinityTerm"]
        yield from part.get("requiredDuringSchedulingIgnoredDuringExecution") or ()


def _require(holder: Object, field: str, operator: str, labels: Mapping[str, str]) -> None:
    keys: Iterable[str] = holder.get(field) or ()
    selector = holder.get("labelSelector")
    if selector is None:  # it matches nothing, and still does
        return
    for key in keys:
        if key in labels:
            requirement = {"key": key, "operator": operator, "values": [labels[key]]}
            selector.setdefault("matchExpressions", []).append(requirement)

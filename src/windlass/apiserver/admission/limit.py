"""LimitRanges: the resources that containers get by default, and how much each may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.refuse import forbidden
from windlass.apiserver.admission.total import pod_total
from windlass.apiserver.validation.resource import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.apiserver.world import World

    Amounts = Mapping[str, Any]

Object = dict[str, Any]

_ANNOTATION: Final = "kubernetes.io/limit-ranger"


def set_limits(pod: Object, world: World) -> None:
    """Give the containers of a new pod the limits and requests of the namespace where they have none."""
    for limit_range in _ranges(pod, world):
        limits: dict[str, str] = {}
        requests: dict[str, str] = {}
        for item in _items(limit_range, "Container"):
            limits |= item.get("default") or {}
            requests |= item.get("defaultRequest") or {}
        said: list[str] = []
        for field, what in (("containers", "container"), ("initContainers", "init container")):
            for container in pod["spec"].get(field) or ():
                said += _merge(container, "requests", requests, f"request for {what}")
                said += _merge(container, "limits", limits, f"limit for {what}")
        if said:
            annotations = pod["metadata"].setdefault("annotations", {})
            annotations[_ANNOTATION] = f"LimitRanger plugin set: {'; '.join(said)}"


def check_limits(pod: Object, world: World) -> None:
    """Hold a new pod and its containers to the limits of its namespace.

    Raises:
        Refusal: 403.
    """
    for limit_range in _ranges(pod, world):
        problems: list[str] = []
        for item in limit_range["spec"].get("limits") or ():
            if item["type"] == "Container":
                for field in ("containers", "initContainers"):
                    for container in pod["spec"].get(field) or ():
                        resources = container.get("resources") or {}
                        problems += _broken(
                            item, resources.get("requests") or {}, resources.get("limits") or {}
                        )
            elif item["type"] == "Pod":
                totals = (pod_total(pod["spec"], name) for name in ("requests", "limits"))
                problems += _broken(item, *totals)
        _refuse("pods", pod, problems)


def check_claim(claim: Object, world: World) -> None:
    """Hold a claim to the limits of its namespace.

    Raises:
        Refusal: 403.
    """
    requests = (claim["spec"].get("resources") or {}).get("requests") or {}
    for limit_range in _ranges(claim, world):
        problems: list[str] = []
        for item in _items(limit_range, "PersistentVolumeClaim"):
            for name, least in (item.get("min") or {}).items():
                problems += _below(item["type"], name, least, requests, {})
            for name, most in (item.get("max") or {}).items():
                problems += _above_request(item["type"], name, most, requests)
        _refuse("persistentvolumeclaims", claim, problems)


def _ranges(obj: Object, world: World) -> Iterator[Object]:
    namespace = obj["metadata"]["namespace"]
    for record in world.store.collection("/limitranges").page(f"{namespace}/").records:
        yield record.object()


def _items(limit_range: Object, kind: str) -> list[Object]:
    return [item for item in limit_range["spec"].get("limits") or () if item["type"] == kind]


def _merge(container: Object, field: str, defaults: Mapping[str, str], what: str) -> Iterator[str]:
    resources = container.setdefault("resources", {})
    missing = {name: value for name, value in defaults.items() if name not in (resources.get(field) or {})}
    if missing:
        resources[field] = (resources.get(field) or {}) | missing
        yield f"{', '.join(sorted(missing))} {what} {container['name']}"


def _broken(item: Object, requests: Amounts, limits: Amounts) -> Iterator[str]:
    kind = item["type"]
    for name, least in (item.get("min") or {}).items():
        yield from _below(kind, name, least, requests, limits)
    for name, most in (item.get("max") or {}).items():
        yield from _above(kind, name, most, requests, limits)
    for name, ratio in (item.get("maxLimitRequestRatio") or {}).items():
        yield from _apart(kind, name, ratio, requests, limits)


def _below(kind: str, name: str, least: str, requests: Amounts, limits: Amounts) -> Iterator[str]:
    said = f"minimum {name} usage per {kind} is {quantity(least)}"
    if name not in requests:
        yield f"{said}.  No request is specified"
    elif quantity(requests[name]) < quantity(least):
        yield f"{said}, but request is {quantity(requests[name])}"
    elif name in limits and quantity(limits[name]) < quantity(least):
        yield f"{said}, but limit is {quantity(limits[name])}"


def _above(kind: str, name: str, most: str, requests: Amounts, limits: Amounts) -> Iterator[str]:
    said = f"maximum {name} usage per {kind} is {quantity(most)}"
    if name not in limits:
        yield f"{said}.  No limit is specified"
    elif quantity(limits[name]) > quantity(most):
        yield f"{said}, but limit is {quantity(limits[name])}"
    elif name in requests and quantity(requests[name]) > quantity(most):
        yield f"{said}, but request is {quantity(requests[name])}"


def _above_request(kind: str, name: str, most: str, requests: Amounts) -> Iterator[str]:
    said = f"maximum {name} usage per {kind} is {quantity(most)}"
    if name not in requests:
        yield f"{said}.  No request is specified"
    elif quantity(requests[name]) > quantity(most):
        yield f"{said}, but request is {quantity(requests[name])}"


def _apart(kind: str, name: str, ratio: str, requests: Amounts, limits: Amounts) -> Iterator[str]:
    said = f"{name} max limit to request ratio per {kind} is {quantity(ratio)}"
    for what, amounts in (("request", requests), ("limit", limits)):
        if name not in amounts or not quantity(amounts[name]).to_decimal():
            yield f"{said}, but no {what} is specified or {what} is 0"
            return
    found = quantity(limits[name]).to_decimal() / quantity(requests[name]).to_decimal()
    if found > quantity(ratio).to_decimal():
        yield f"{said}, but provided ratio is {float(found):f}"


def _refuse(plural: str, obj: Object, problems: list[str]) -> None:
    distinct = list(dict.fromkeys(problems))
    if distinct:
        why = distinct[0] if len(distinct) == 1 else f"[{', '.join(distinct)}]"
        raise forbidden(plural, obj, why)

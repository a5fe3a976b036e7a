"""Resources of a pod as a whole: what is not given follows from those of its containers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.api import Quantity

_HUGE_PAGES: Final = "hugepages-"
_SHARED: Final = ("cpu", "memory")

Amounts = dict[str, "Quantity"]


def pod_resources(pod: dict[str, Any]) -> None:
    """Limits of huge pages are those of the containers; requests are theirs too, or else the limits."""
    spec = pod.get("spec", {})
    resources = spec.get("resources")
    if not resources or not (resources.get("limits") or resources.get("requests")):
        return
    _limits(spec, resources)
    if resources.get("limits"):
        _requests(spec, resources)


def _limits(spec: dict[str, Any], resources: dict[str, Any]) -> None:
    given = resources.get("limits", {})
    asked = resources.get("requests", {})
    more = {
        name: str(amount)
        for name, amount in _together(spec, "limits").items()
        if name.startswith(_HUGE_PAGES) and name not in asked and name not in given
    }
    if more:
        resources["limits"] = {**given, **more}


def _requests(spec: dict[str, Any], resources: dict[str, Any]) -> None:
    containers = _together(spec, "requests")
    wanted = {name: str(containers[name]) for name in _SHARED if name in containers}
    for name, amount in resources["limits"].items():
        if name in _SHARED or name.startswith(_HUGE_PAGES):
            wanted.setdefault(name, amount)
    wanted |= resources.get("requests", {})
    if wanted:
        resources["requests"] = wanted


def _together(spec: dict[str, Any], field: str) -> Amounts:
    """What the containers of a pod take at most at one time.

    That is all of them, or one init container with those that were started before it and keep running.
    """
    total: Amounts = {}
    for container in spec.get("containers") or ():
        _add(total, _amounts(container, field))
    running: Amounts = {}
    highest: Amounts = {}
    for container in spec.get("initContainers") or ():
        amounts = _amounts(container, field)
        if container.get("restartPolicy") == "Always":
            _add(total, amounts)
            _add(running, amounts)
            _raise(highest, running)
        else:
            _add(amounts, running)
            _raise(highest, amounts)
    _raise(total, highest)
    return total


def _amounts(container: dict[str, Any], field: str) -> Amounts:
    from windlass.api import Quantity  # few pods have resources of their own

    given = container.get("resources", {}).get(field) or {}
    return {name: Quantity(amount) for name, amount in given.items()}


def _add(total: Amounts, more: Amounts) -> None:
    for name, amount in more.items():
        total[name] = total[name] + amount if name in total else amount


def _raise(highest: Amounts, other: Amounts) -> None:
    for name, amount in other.items():
        if name not in highest or amount > highest[name]:
            highest[name] = amount

"""What a pod needs as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.resource import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Quantity

_OF_PODS: Final = ("cpu", "memory")


def pod_total(spec: Mapping[str, Any], field: str) -> dict[str, Quantity]:
    """The `requests` or `limits` of a pod: what its containers need together, unless the pod itself says."""
    total = containers_total(spec, lambda container: amounts_of(container, field))
    given = amounts_of(spec, field)
    return total | {name: given[name] for name in _OF_PODS if name in given}


def containers_total(
    spec: Mapping[str, Any], needs: Callable[[Mapping[str, Any]], Mapping[str, Quantity]]
) -> dict[str, Quantity]:
    """What the containers of a pod need together, or during its largest start.

    Init containers run one after the other, beside those of them that keep running.
    """
    total: dict[str, Quantity] = {}
    for container in spec.get("containers") or ():
        add_amounts(total, needs(container))
    beside: dict[str, Quantity] = {}
    start: dict[str, Quantity] = {}
    for container in spec.get("initContainers") or ():
        amounts = needs(container)
        now = dict(beside)
        add_amounts(now, amounts)
        if keeps_running(container):
            add_amounts(total, amounts)
            beside = now
        raise_amounts(start, now)
    raise_amounts(total, start)
    return total


def keeps_running(container: Mapping[str, Any]) -> bool:
    """Whether an init container runs beside those that come after it."""
    return container.get("restartPolicy") == "Always"


def amounts_of(holder: Mapping[str, Any], field: str) -> dict[str, Quantity]:
    """The `requests` or `limits` of a container, of its status, or of a pod's spec."""
    given = (holder.get("resources") or {}).get(field) or {}
    return {name: quantity(value) for name, value in given.items()}


def add_amounts(total: dict[str, Quantity], amounts: Mapping[str, Quantity]) -> None:
    """Add amounts to a total."""
    for name, amount in amounts.items():
        total[name] = total[name] + amount if name in total else amount


def raise_amounts(total: dict[str, Quantity], amounts: Mapping[str, Quantity]) -> None:
    """Raise a total to amounts that are larger."""
    for name, amount in amounts.items():
        if name not in total or total[name] < amount:
            total[name] = amount

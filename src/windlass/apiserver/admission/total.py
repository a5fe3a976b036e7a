"""What a pod needs as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.resource import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Quantity

_OF_PODS: Final = ("cpu", "memory")


def pod_total(spec: Mapping[str, Any], field: str) -> dict[str, Quantity]:
    """The `requests` or `limits` of a pod: of all its containers, or of its largest start.

    Init containers run one after the other, beside those of them that keep running.
    """
    total: dict[str, Quantity] = {}
    for container in spec.get("containers") or ():
        _add(total, _amounts(container, field))
    beside: dict[str, Quantity] = {}
    start: dict[str, Quantity] = {}
    for container in spec.get("initContainers") or ():
        amounts = _amounts(container, field)
        now = dict(beside)
        _add(now, amounts)
        if container.get("restartPolicy") == "Always":
            _add(total, amounts)
            beside = now
        _raise(start, now)
    _raise(total, start)
    given = (spec.get("resources") or {}).get(field) or {}
    return total | {name: quantity(given[name]) for name in _OF_PODS if name in given}


def _amounts(container: Mapping[str, Any], field: str) -> dict[str, Quantity]:
    given = (container.get("resources") or {}).get(field) or {}
    return {name: quantity(value) for name, value in given.items()}


def _add(total: dict[str, Quantity], amounts: Mapping[str, Quantity]) -> None:
    for name, amount in amounts.items():
        total[name] = total[name] + amount if name in total else amount


def _raise(total: dict[str, Quantity], amounts: Mapping[str, Quantity]) -> None:
    for name, amount in amounts.items():
        if name not in total or total[name] < amount:
            total[name] = amount

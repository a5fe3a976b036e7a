"""The quality of service of a pod, which follows from the resources that it asks for."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.resource import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    Fields = Mapping[str, Any]
    Amounts = dict[str, Decimal]

_COMPUTE: Final = ("cpu", "memory")


def quality_of(spec: Fields) -> str:
    """Guaranteed, Burstable or BestEffort, by the spec of a pod.

    The resources of the pod as a whole decide if there are any, otherwise those of its containers.
    """
    if spec.get("resources") is not None:
        holders = [spec]
    else:
        holders = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
    requests: Amounts = {}
    limits: Amounts = {}
    limited = True
    for holder in holders:
        resources = holder.get("resources", {})
        _add(requests, resources.get("requests", {}))
        found = _add(limits, resources.get("limits", {}))
        limited = limited and found == len(_COMPUTE)
    if not requests and not limits:
        return "BestEffort"
    return "Guaranteed" if limited and requests == limits else "Burstable"


def _add(total: Amounts, amounts: Fields) -> int:
    """Add what a container asks for of processor and memory; of how many of the two it asks for any."""
    found = 0
    for name in _COMPUTE:
        amount = quantity(amounts.get(name, 0)).to_decimal()
        if amount > 0:
            total[name] = total.get(name, Decimal()) + amount
            found += 1
    return found

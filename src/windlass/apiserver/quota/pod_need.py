"""What a pod needs, also while it is being resized, and with what it costs to run it at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.total import (
    add_amounts,
    amounts_of,
    containers_total,
    keeps_running,
    raise_amounts,
)
from windlass.apiserver.quota.amount import Amounts, read

if TYPE_CHECKING:
    from collections.abc import Mapping

Object = dict[str, Any]

_OF_PODS: Final = ("cpu", "memory")
_PAGES: Final = "hugepages-"


def requests_of(pod: Object) -> Amounts:
    """What a pod asks for, and what is set aside for running it."""
    total = _total(pod, "requests")
    add_amounts(total, read(pod["spec"].get("overhead")))
    return total


def limits_of(pod: Object) -> Amounts:
    """How much a pod may take, and what is set aside for running it where there is a limit."""
    total = _total(pod, "limits")
    overhead = read(pod["spec"].get("overhead"))
    add_amounts(total, {name: amount for name, amount in overhead.items() if total.get(name)})
    return total


def _total(pod: Object, field: str) -> Amounts:
    spec, status = pod["spec"], pod.get("status", {})
    seen = {
        each["name"]: each
        for each in (*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ()))
        if each.get("resources") is not None
    }
    refused = _is_refused(status)
    one_by_one = {each["name"] for each in spec.get("initContainers") or () if not keeps_running(each)}

    def needs(container: Mapping[str, Any]) -> Amounts:
        found = seen.get(container["name"])
        if found is None or container["name"] in one_by_one:
            return amounts_of(container, field)
        return _while_resized({} if refused else amounts_of(container, field), found, field)

    total = containers_total(spec, needs) if seen else containers_total(spec, lambda c: amounts_of(c, field))
    given = amounts_of(spec, field)
    return total | {name: given[name] for name in given if name in _OF_PODS or name.startswith(_PAGES)}


def _while_resized(wanted: Amounts, found: Mapping[str, Any], field: str) -> Amounts:
    """What a container counts for while it has one size and another is wanted of it: the larger of them."""
    raise_amounts(wanted, amounts_of(found, field))
    if field == "requests":
        raise_amounts(wanted, read(found.get("allocatedResources")))
    return wanted


def _is_refused(status: Mapping[str, Any]) -> bool:
    """Whether the node will never give the pod the size that is wanted."""
    pending = [each for each in status.get("conditions") or () if each["type"] == "PodResizePending"]
    return bool(pending) and pending[0].get("reason") == "Infeasible"

"""What a pod is told of itself: its fields and resources, in environment variables and in files."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import Quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container, ResourceFieldSelector

_ENTRY: Final = re.compile(r"metadata\.(labels|annotations)\['(.+)'\]")


class Place(NamedTuple):
    """Where a pod runs: its address and the node's, and what the node has."""

    pod_address: str
    node_address: str
    capacity: Mapping[str, Quantity]


def field(pod: Pod, path: str, place: Place) -> str:
    """A field of a pod, as text; one that there is not is empty."""
    entry = _ENTRY.fullmatch(path)
    if entry:
        found: Mapping[str, str] = getattr(pod.metadata, entry[1])
        return found.get(entry[2], "")
    return {
        "metadata.name": pod.metadata.name,
        "metadata.namespace": pod.metadata.namespace,
        "metadata.uid": pod.metadata.uid,
        "metadata.labels": _entries(pod.metadata.labels),
        "metadata.annotations": _entries(pod.metadata.annotations),
        "spec.nodeName": pod.spec.node_name or "",
        "spec.serviceAccountName": pod.spec.service_account_name or "",
        "status.hostIP": place.node_address,
        "status.hostIPs": place.node_address,
        "status.podIP": place.pod_address,
        "status.podIPs": place.pod_address,
    }.get(path, "")


def _entries(values: Mapping[str, str]) -> str:
    return "\n".join(f'{name}="{_quoted(value)}"' for name, value in sorted(values.items()))


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def resource(container: Container, selector: ResourceFieldSelector, place: Place) -> str:
    """A request or a limit of a container, in units of the divisor, rounded up.

    What is not limited is limited by what the node has.
    """
    kind, _, name = selector.resource.partition(".")
    given = getattr(container.resources, kind, {}) if container.resources else {}
    amount = given.get(name)
    if amount is None:
        amount = place.capacity.get(name, Quantity("0")) if kind == "limits" else Quantity("0")
    divisor = selector.divisor.to_decimal() if selector.divisor else Decimal(0)
    units = amount.to_decimal() / (divisor or Decimal(1))
    return str(int(units.to_integral_value(ROUND_CEILING)))

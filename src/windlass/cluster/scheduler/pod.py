from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import Key
from windlass.cluster.scheduler.request import CPU, MEMORY, requests, supposed_requests
from windlass.cluster.scheduler.term import NO_TERMS, Terms, terms_of

if TYPE_CHECKING:
    from windlass.cluster.scheduler.request import Amounts
    from windlass.kinds.core.v1 import Pod, PodSpec

_ANY_ADDRESS: Final = "0.0.0.0"  # noqa: S104 - as a pod says it
_PREEMPTED: Final = "PreemptionByScheduler"


class Port(NamedTuple):
    """A port of the node itself that a pod takes."""

    number: int
    protocol: str
    address: str

    def collides(self, other: Port) -> bool:
        """Whether two cannot be had together: addresses are apart unless they are equal or one is all."""
        if (self.number, self.protocol) != (other.number, other.protocol):
            return False
        return self.address == other.address or _ANY_ADDRESS in (self.address, other.address)


class Likeness(NamedTuple):
    """What pods have in common that no rule between pods can tell apart."""

    namespace: str
    labels: frozenset[tuple[str, str]]
    owner: str
    terms: Terms
    terminating: bool


@dataclass(frozen=True, kw_only=True)
class PodInfo:
    """What the scheduler remembers of a pod, placed or not: little, since there are many."""

    key: Key
    uid: str
    likeness: Likeness
    requests: Amounts
    supposed: tuple[int, int]
    ports: tuple[Port, ...] = ()
    node: str = ""
    nominated: str = ""
    priority: int = 0
    preempted: bool = False
    start: float = inf

    @cached_property
    def labels(self) -> dict[str, str]:
        """Its labels."""
        return dict(self.likeness.labels)

    @classmethod
    def of(cls, pod: Pod) -> PodInfo:
        """What there is to remember of a pod."""
        metadata, spec, status = pod.metadata, pod.spec, pod.status
        terms = terms_of(spec.affinity, metadata.namespace) if spec.affinity else NO_TERMS
        supposed = supposed_requests(spec)
        owner = next((each.uid for each in metadata.owner_references if each.controller), "")
        going = metadata.deletion_timestamp is not None
        return cls(
            key=Key(metadata.namespace, metadata.name),
            uid=metadata.uid,
            likeness=Likeness(metadata.namespace, frozenset(metadata.labels.items()), owner, terms, going),
            requests=requests(spec),
            supposed=(supposed.get(CPU, 0), supposed.get(MEMORY, 0)),
            ports=_ports(spec),
            node=spec.node_name or "",
            nominated=status.nominated_node_name,
            priority=spec.priority or 0,
            preempted=going and any(each.reason == _PREEMPTED for each in status.conditions),
            start=status.start_time.timestamp() if status.start_time else inf,
        )

    def on(self, node: str) -> PodInfo:
        """The same pod, placed on a node."""
        return replace(self, node=node)


def _ports(spec: PodSpec) -> tuple[Port, ...]:
    sidecars = (each for each in spec.init_containers if each.restart_policy == "Always")
    return tuple(
        Port(port.host_port, port.protocol or "TCP", port.host_ip or _ANY_ADDRESS)
        for container in (*spec.containers, *sidecars)
        for port in container.ports
        if port.host_port
    )

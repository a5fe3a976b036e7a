"""Where the kubelet of a node is, if there is one.

A node is an object at first. Whoever makes it run pods says to the network that its kubelet is at an address
of the node; otherwise the server answers what the real one does when it finds nobody there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.kubelet import Kubelet
    from windlass.apiserver.world import World

_PREFERRED: Final = ("InternalIP", "ExternalIP", "Hostname")
_KUBELET: Final = 10250


@dataclass(frozen=True, slots=True)
class KubeletPlace:
    """The address of a kubelet, and whoever is there."""

    host: str
    port: int
    kubelet: Kubelet | None = None

    @property
    def address(self) -> str:
        """Host and port as a URL has them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def refused(self) -> str:
        """What is said of an attempt to reach it."""
        return f"dial tcp {self.address}: connect: connection refused"


def kubelet_of(world: World, node: str, plural: str) -> KubeletPlace:
    """The kubelet of a node: at the first of its addresses where one is, or else at that of the best kind.

    Raises:
        Refusal: 404, there is no such node, which is said as if it were one of `plural`; 500, nobody knows
            its address.
    """
    record = world.store.collection("/nodes").get(node)
    if record is None:
        raise Refusal.not_found("", plural, node)
    status = record.object().get("status", {})
    addresses = status.get("addresses", [])
    port = status.get("daemonEndpoints", {}).get("kubeletEndpoint", {}).get("Port") or _KUBELET
    hosts = [each.get("address", "") for kind in _PREFERRED for each in addresses if each.get("type") == kind]
    for place in (KubeletPlace(host, port) for host in hosts):
        kubelet = world.network.kubelet(place.address)
        if kubelet is not None:
            return replace(place, kubelet=kubelet)
    if hosts:
        return KubeletPlace(hosts[0], port)
    raise Refusal(500, f"no preferred addresses found; known addresses: {_printed(addresses)}", "")


def _printed(addresses: list[dict[str, Any]]) -> str:
    pairs = (f"{{{each.get('type', '')} {each.get('address', '')}}}" for each in addresses)
    return f"[{' '.join(pairs)}]"

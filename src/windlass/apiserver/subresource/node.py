"""Where the kubelet of a node would be.

This server has no kubelet to ask: nodes are objects, and nothing listens at their addresses. It answers what
the real server does when it finds nobody there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.world import World

_PREFERRED: Final = ("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP")
_KUBELET: Final = 10250


@dataclass(frozen=True, slots=True)
class Kubelet:
    """The address of a kubelet."""

    host: str
    port: int

    @property
    def address(self) -> str:
        """Host and port as a URL has them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def refused(self) -> str:
        """What is said of an attempt to reach it."""
        return f"dial tcp {self.address}: connect: connection refused"


def kubelet_of(world: World, node: str, plural: str) -> Kubelet:
    """The kubelet of a node.

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
    for kind in _PREFERRED:
        for each in addresses:
            if each.get("type") == kind:
                return Kubelet(each.get("address", ""), port)
    raise Refusal(500, f"no preferred addresses found; known addresses: {_printed(addresses)}", "")


def _printed(addresses: list[dict[str, Any]]) -> str:
    pairs = (f"{{{each.get('type', '')} {each.get('address', '')}}}" for each in addresses)
    return f"[{' '.join(pairs)}]"

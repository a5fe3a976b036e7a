"""What a process knows of the nodes that it simulates."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from windlass.api import Key

_FIRST_NETWORK: Final = IPv4Address("10.244.0.0")
_NETWORK_SIZE: Final = 256
_MOST_NETWORKS: Final = 3072
_FIRST_HOST: Final = IPv4Address("172.18.0.2")
_FIRST_POD: Final = 2  # the first address of a network is the network's, the second the node's


@dataclass
class NodeState:
    """One node: where it is, whether it is up, which addresses its pods have, and which pods it knows."""

    name: str
    number: int
    address: str
    network: IPv4Network | None = None
    is_up: bool = True
    pods: set[Key] = field(default_factory=set)
    _addresses: dict[str, str] = field(default_factory=dict)

    def address_for(self, uid: str) -> str:
        """An address for a pod, which it keeps until it is `released`; empty if none is left."""
        if self.network is None:
            return ""
        for each in islice(self.network.hosts(), _FIRST_POD - 1, None):
            if self._addresses.setdefault(str(each), uid) == uid:
                return str(each)
        return ""

    def take(self, address: str, uid: str) -> None:
        """Know that a pod has an address already."""
        self._addresses.setdefault(address, uid)

    def release(self, uid: str) -> None:
        """Let the address of a pod be another's."""
        for address in [each for each, owner in self._addresses.items() if owner == uid]:
            del self._addresses[address]


def node_address(number: int) -> str:
    """The address of the node with this number."""
    return str(_FIRST_HOST + number)


def is_pod_address(address: str) -> bool:
    """Whether only a simulated pod can have this address."""
    return _FIRST_NETWORK <= IPv4Address(address) < _FIRST_NETWORK + _MOST_NETWORKS * _NETWORK_SIZE


def free_network(number: int, taken: set[str]) -> IPv4Network:
    """A network for the pods of the node with this number, which no other node has.

    Raises:
        OverflowError: there is none left.
    """
    for offset in range(_MOST_NETWORKS):
        index = (number + offset) % _MOST_NETWORKS
        network = IPv4Network((_FIRST_NETWORK + index * _NETWORK_SIZE, 24))
        if str(network) not in taken:
            taken.add(str(network))
            return network
    raise OverflowError(f"there are no more than {_MOST_NETWORKS} networks for the pods of nodes")

from __future__ import annotations

from ipaddress import IPv4Network, ip_address
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.allocation.pool import NotFree, pick, reserved_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.apiserver.store import Collection
    from windlass.apiserver.world import World

NETWORK: Final = "10.96.0.0/16"
"""Where the addresses of services come from."""

OWN_ADDRESS: Final = "10.96.0.1"
"""The first of them, which is that of the API server."""

_FAMILY_LABEL: Final = "ipaddress.kubernetes.io/ip-family"
_MANAGED_LABEL: Final = "ipaddress.kubernetes.io/managed-by"
_STEP: Final = 16
_MOST_RESERVED: Final = 256
_FIELDS: Final[dict[str, Any]] = {
    "f:metadata": {"f:labels": {".": {}, f"f:{_FAMILY_LABEL}": {}, f"f:{_MANAGED_LABEL}": {}}},
    "f:spec": {"f:parentRef": {".": {}, "f:name": {}, "f:namespace": {}, "f:resource": {}}},
}


class AddressPool:
    """The addresses of a network. One is taken if there is an IPAddress of its name."""

    def __init__(self, network: str = NETWORK) -> None:
        self._network = IPv4Network(network)
        self._first = int(self._network.network_address) + 1
        self._size = self._network.num_addresses - 2
        self._reserved = reserved_of(self._network.num_addresses, _STEP, _MOST_RESERVED)
        self._held: dict[str, tuple[str, ...]] = {}

    def choose(self, world: World, *, dry_run: bool) -> str:
        """An address that is free; a dry run is shown that of the network.

        Raises:
            NotFree: all are taken.
        """
        if dry_run:
            return str(self._network.network_address)
        taken = _collection(world)
        number = pick(
            self._size, self._reserved, lambda each: taken.get(self._at(each)) is not None, world.chance
        )
        return self._at(number)

    def check(self, address: str, world: World, *, dry_run: bool) -> None:
        """Whether an address can be had.

        Raises:
            NotFree: it is taken, or of another network.
        """
        if not 0 <= int(ip_address(address)) - self._first < self._size:
            if not dry_run:
                raise NotFree("the provided network does not match the current range")
            raise NotFree(
                f"the provided IP ({address}) is not in the valid range. "
                f"The range of valid IPs is {self._network}"
            )
        if not dry_run and _collection(world).get(address) is not None:
            raise NotFree("provided IP is already allocated")

    def hold(self, service: str, addresses: Iterable[str], world: World) -> None:
        """Let a service, `namespace/name`, have these addresses and no others."""
        before, after = self._held.get(service, ()), tuple(addresses)
        if before == after:
            return
        collection = _collection(world)
        for address in after:
            if collection.get(address) is None:
                collection.put(address, _ip_address(address, service, world), None)
        for address in before:
            record = collection.get(address)
            if address not in after and record is not None:
                collection.delete(address, record)
        if after:
            self._held[service] = after
        else:
            self._held.pop(service, None)

    def _at(self, number: int) -> str:
        return str(ip_address(self._first + number))


def _collection(world: World) -> Collection:
    return world.store.collection("networking.k8s.io/ipaddresses")


def _ip_address(address: str, service: str, world: World) -> dict[str, Any]:
    namespace, _, name = service.partition("/")
    managed = {
        "manager": "kube-apiserver",
        "operation": "Update",
        "apiVersion": "networking.k8s.io/v1",
        "time": world.now(),
        "fieldsType": "FieldsV1",
        "fieldsV1": _FIELDS,
    }
    return {
        "metadata": {
            "name": address,
            "uid": world.uid(),
            "creationTimestamp": world.now(),
            "labels": {_FAMILY_LABEL: "IPv4", _MANAGED_LABEL: "ipallocator.k8s.io"},
            "managedFields": [managed],
        },
        "spec": {"parentRef": {"resource": "services", "namespace": namespace, "name": name}},
    }

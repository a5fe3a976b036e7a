from __future__ import annotations

from ipaddress import IPv4Address

import pytest

from windlass.apiserver.allocation.address import AddressPool
from windlass.apiserver.allocation.pool import NotFree
from windlass.apiserver.world import World


@pytest.fixture
def world() -> World:
    return World()


def test_every_address_of_a_small_network_is_given_once(world: World) -> None:
    pool = AddressPool("10.0.0.0/29")

    chosen = []
    for number in range(6):
        address = pool.choose(world, dry_run=False)
        pool.hold(f"ns/{number}", [address], world)
        chosen.append(address)

    assert sorted(chosen) == [f"10.0.0.{last}" for last in range(1, 7)]
    with pytest.raises(NotFree, match="range is full"):
        pool.choose(world, dry_run=False)


def test_low_addresses_are_left_to_those_who_ask(world: World) -> None:
    pool = AddressPool("10.96.0.0/16")

    chosen = {IPv4Address(pool.choose(world, dry_run=False)) for _ in range(50)}

    assert min(chosen) > IPv4Address("10.96.1.0")


def test_an_address_that_is_held_is_an_object_that_names_its_service(world: World) -> None:
    AddressPool().hold("ns/web", ["10.96.0.9"], world)

    record = world.store.collection("networking.k8s.io/ipaddresses").get("10.96.0.9")

    assert record is not None
    assert record.object()["spec"] == {
        "parentRef": {"resource": "services", "namespace": "ns", "name": "web"}
    }


def test_what_a_service_no_longer_holds_is_free_again(world: World) -> None:
    pool = AddressPool()
    pool.hold("ns/web", ["10.96.0.9"], world)
    with pytest.raises(NotFree, match="already allocated"):
        pool.check("10.96.0.9", world, dry_run=False)

    pool.hold("ns/web", ["10.96.0.10"], world)

    pool.check("10.96.0.9", world, dry_run=False)
    assert len(world.store.collection("networking.k8s.io/ipaddresses")) == 1


def test_holding_the_same_again_writes_nothing(world: World) -> None:
    pool = AddressPool()
    pool.hold("ns/web", ["10.96.0.9"], world)
    before = world.store.revision

    pool.hold("ns/web", ["10.96.0.9"], world)

    assert world.store.revision == before


@pytest.mark.parametrize("address", ["10.96.0.0", "10.96.255.255", "192.0.2.1", "fd00::1"])
def test_an_address_of_another_network_is_refused(world: World, address: str) -> None:
    with pytest.raises(NotFree, match="does not match the current range"):
        AddressPool().check(address, world, dry_run=False)


def test_a_dry_run_is_shown_the_network_and_asks_nobody(world: World) -> None:
    pool = AddressPool()
    pool.hold("ns/web", ["10.96.0.9"], world)

    assert pool.choose(world, dry_run=True) == "10.96.0.0"
    pool.check("10.96.0.9", world, dry_run=True)
    with pytest.raises(NotFree, match=r"The range of valid IPs is 10\.96\.0\.0/16"):
        pool.check("192.0.2.1", world, dry_run=True)

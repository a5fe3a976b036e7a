from __future__ import annotations

import pytest

from windlass.apiserver.allocation.pool import NotFree
from windlass.apiserver.allocation.port import PortChoice, PortPool
from windlass.apiserver.world import World


def test_no_port_is_chosen_twice_for_one_service() -> None:
    choice = PortChoice(PortPool(range(30000, 30003)), World(), dry_run=False)

    assert sorted(choice.any() for _ in range(3)) == [30000, 30001, 30002]
    with pytest.raises(NotFree, match="range is full"):
        choice.any()


def test_choosing_takes_nothing() -> None:
    pool = PortPool(range(30000, 30001))

    PortChoice(pool, World(), dry_run=False).ask(30000)

    PortChoice(pool, World(), dry_run=False).ask(30000)


def test_a_port_that_is_held_is_refused_until_it_is_given_back() -> None:
    pool = PortPool()
    pool.hold("ns/web", [30001, 30002])
    with pytest.raises(NotFree, match="already allocated"):
        pool.check(30001)

    pool.hold("ns/web", [30002])

    pool.check(30001)
    assert pool.is_taken(30002)


def test_a_port_out_of_the_range_is_refused_with_the_range() -> None:
    with pytest.raises(NotFree, match="The range of valid ports is 30000-32767"):
        PortChoice(PortPool(), World(), dry_run=False).ask(80)


def test_a_dry_run_is_shown_ports_that_nobody_can_have() -> None:
    pool = PortPool()
    pool.hold("ns/web", [30001])
    choice = PortChoice(pool, World(), dry_run=True)

    assert (choice.any(), choice.any()) == (32769, 32770)
    choice.ask(80)
    with pytest.raises(NotFree, match="already allocated"):
        choice.ask(30001)

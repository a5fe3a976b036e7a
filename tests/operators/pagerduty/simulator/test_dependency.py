"""Business services and what they stand on."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from pagerduty_asking import KEY, Asking, calling, relationship
from windlass.operators.pagerduty.simulator import Account, AccountOptions, AccountWire, Limits, Weather

if TYPE_CHECKING:
    from windlass.aio import ManualClock

ASSOCIATE, DISASSOCIATE = "/service_dependencies/associate", "/service_dependencies/disassociate"


@pytest.fixture
def shop(ask: Asking, ada: str) -> str:
    """A service to stand on."""
    return ask.service(ask.policy(ada))


@pytest.fixture
def checkout(ask: Asking) -> str:
    """A business service that stands on something."""
    return ask.business("Checkout")


def standing(ask: Asking, id_: str, kind: str = "business_services") -> list[tuple[str, str]]:
    """Pairs of what supports and what depends, as the list of one shows them."""
    told = ask("GET", f"/service_dependencies/{kind}/{id_}")
    assert told.status == 200
    pairs = told.body["relationships"]
    return [(each["supporting_service"]["id"], each["dependent_service"]["id"]) for each in pairs]


def test_a_business_service_is_created_with_200_changed_in_parts_and_deleted(
    ask: Asking, account: Account
) -> None:
    team = account.by_hand.add_team("Shop")
    told = ask("POST", "/business_services", {"business_service": {"name": "Checkout", "team": {"id": team}}})
    made = told.body["business_service"]["id"]

    changed = ask("PUT", f"/business_services/{made}", {"business_service": {"point_of_contact": "Ada"}})
    patched = ask("PATCH", f"/business_services/{made}", {"business_service": {"team": None}})

    assert told.status == 200
    assert told.body["business_service"]["team"]["id"] == team
    assert (
        changed.body["business_service"]["name"],
        changed.body["business_service"]["point_of_contact"],
    ) == ("Checkout", "Ada")
    assert patched.body["business_service"]["team"] is None
    assert [ask("DELETE", f"/business_services/{made}").status for _ in range(2)] == [204, 404]


@pytest.mark.parametrize(
    "fields", [{}, {"name": ""}, {"name": "A", "team": "P1"}, {"name": "A", "description": 1}]
)
def test_a_business_service_that_cannot_be_is_refused(ask: Asking, fields: dict[str, Any]) -> None:
    assert ask("POST", "/business_services", {"business_service": fields}).status == 400


def test_the_name_of_a_business_service_is_taken_but_not_by_a_service(
    ask: Asking, shop: str, checkout: str
) -> None:
    assert ask("POST", "/business_services", {"business_service": {"name": "CHECKOUT"}}).status == 400
    assert ask("POST", "/business_services", {"business_service": {"name": "Shop"}}).status == 200


def test_types_are_rewritten_and_both_sides_show_the_dependency(
    ask: Asking, shop: str, checkout: str
) -> None:
    told = ask("POST", ASSOCIATE, relationship(shop, checkout))
    (made,) = told.body["relationships"]

    assert told.status == 200
    assert made["supporting_service"] == {"id": shop, "type": "technical_service_reference"}
    assert made["dependent_service"] == {"id": checkout, "type": "business_service_reference"}
    assert standing(ask, checkout) == standing(ask, shop, "technical_services") == [(shop, checkout)]


def test_associating_twice_makes_one_dependency(ask: Asking, shop: str, checkout: str) -> None:
    first, second = (ask("POST", ASSOCIATE, relationship(shop, checkout)).body for _ in range(2))

    assert first == second
    assert standing(ask, checkout) == [(shop, checkout)]


def test_disassociating_ends_it_and_a_second_time_finds_nothing(
    ask: Asking, shop: str, checkout: str
) -> None:
    ask("POST", ASSOCIATE, relationship(shop, checkout))

    done = ask("POST", DISASSOCIATE, relationship(shop, checkout))
    again = ask("POST", DISASSOCIATE, relationship(shop, checkout))

    assert (done.status, len(done.body["relationships"])) == (200, 1)
    assert (again.status, again.body["error"]["code"]) == (404, 404)
    assert standing(ask, checkout) == []


def test_a_peer_that_does_not_exist_is_not_found_in_the_words_of_this_route(
    ask: Asking, shop: str, checkout: str
) -> None:
    refused = [
        ask("POST", ASSOCIATE, relationship("PNONE", checkout)),
        ask("POST", ASSOCIATE, relationship(shop, shop)),
        ask("GET", f"/service_dependencies/business_services/{shop}"),
    ]

    said = {"error": {"code": 404, "message": "Service Not Found", "errors": []}}
    assert [(each.status, each.body) for each in refused] == [(404, said)] * 3


@pytest.mark.parametrize(
    "body", [{}, {"relationships": []}, {"relationships": ["x"]}, {"relationships": [{}]}]
)
def test_a_request_without_relationships_is_refused(ask: Asking, body: dict[str, Any]) -> None:
    assert ask("POST", ASSOCIATE, body).status == 400


def test_nothing_comes_to_stand_on_itself(ask: Asking) -> None:
    both = ("business_service", "business_service")
    top, middle, bottom = (ask.business(name) for name in ("Top", "Middle", "Bottom"))
    ask("POST", ASSOCIATE, relationship(middle, top, *both))
    ask("POST", ASSOCIATE, relationship(bottom, middle, *both))

    assert ask("POST", ASSOCIATE, relationship(top, top, *both)).status == 400
    assert ask("POST", ASSOCIATE, relationship(top, bottom, *both)).status == 400
    assert ask("POST", ASSOCIATE, relationship(bottom, top, *both)).status == 200


def test_there_are_limits_to_how_many_and_how_deep(clock: ManualClock, account: Account) -> None:
    small = AccountOptions(limits=Limits(dependencies=2, depth=3))
    ask = Asking(Account(clock=clock, random=account.faults.random, options=small))
    ask.account.allow(KEY)
    both = ("business_service", "business_service")
    tower = [ask.business(f"Floor {number}") for number in range(5)]
    wide = [ask.business(f"Wing {number}") for number in range(4)]

    depths = [ask("POST", ASSOCIATE, relationship(low, high, *both)).status for high, low in pairwise(tower)]
    widths = [ask("POST", ASSOCIATE, relationship(wing, wide[0], *both)).status for wing in wide[1:]]

    assert depths == [200, 200, 200, 400]
    assert widths == [200, 200, 400]


@pytest.mark.parametrize("gone", ["shop", "checkout"])
def test_dependencies_go_with_either_side(ask: Asking, shop: str, checkout: str, gone: str) -> None:
    ask("POST", ASSOCIATE, relationship(shop, checkout))

    if gone == "shop":
        ask("DELETE", f"/services/{shop}")
        left = standing(ask, checkout)
    else:
        ask("DELETE", f"/business_services/{checkout}")
        left = standing(ask, shop, "technical_services")

    assert left == []


async def test_two_at_once_fail_and_one_after_the_other_do_not(
    ask: Asking, account: Account, shop: str, checkout: str
) -> None:
    wire = AccountWire(account)
    other = ask.business("Returns")
    calls = [calling("POST", ASSOCIATE, relationship(shop, each)) for each in (checkout, other)]

    at_once = await asyncio.gather(*(wire.send(call) for call in calls))
    in_turn = [(await wire.send(call)).status for call in calls]

    assert [each.status for each in at_once] == [200, 500]
    assert in_turn == [200, 200]


async def test_a_cancelled_association_is_in_nobodys_way(
    account: Account, clock: ManualClock, shop: str, checkout: str
) -> None:
    account.faults.weather = Weather(latency=timedelta(seconds=10))
    wire, call = AccountWire(account), calling("POST", ASSOCIATE, relationship(shop, checkout))
    first = asyncio.create_task(wire.send(call))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    second = asyncio.create_task(wire.send(call))
    await asyncio.sleep(0)
    await clock.advance(timedelta(seconds=10))

    assert (await second).status == 200


async def test_the_list_lags_behind_in_both_directions(
    ask: Asking, account: Account, clock: ManualClock, shop: str, checkout: str
) -> None:
    account.faults.weather = Weather(dependency_lag=timedelta(seconds=5))
    ask("POST", ASSOCIATE, relationship(shop, checkout))
    seen = [standing(ask, checkout)]
    await clock.advance(timedelta(seconds=5))
    seen.append(standing(ask, checkout))
    ask("POST", DISASSOCIATE, relationship(shop, checkout))
    seen.append(standing(ask, checkout))
    await clock.advance(timedelta(seconds=5))
    seen.append(standing(ask, checkout))

    assert seen == [[], [(shop, checkout)], [(shop, checkout)], []]

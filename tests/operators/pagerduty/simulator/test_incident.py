"""Incidents: who may list and resolve them, and what they make of their service."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from pagerduty_asking import ACCEPT
from windlass.operators.pagerduty.simulator import Refusal, Weather

if TYPE_CHECKING:
    from pagerduty_asking import Asking, Told
    from windlass.aio import ManualClock
    from windlass.operators.pagerduty.simulator import Account

ADA = "ada@example.com"


@pytest.fixture
def shop(ask: Asking, ada: str) -> str:
    """A service."""
    return ask.service(ask.policy(ada))


def change(*ids: str, status: str = "resolved") -> dict[str, Any]:
    return {"incidents": [{"id": each, "type": "incident_reference", "status": status} for each in ids]}


def listed(ask: Asking, *query: tuple[str, str]) -> list[str]:
    told = ask("GET", "/incidents", None, *query)
    assert told.status == 200, told
    return [each["id"] for each in told.body["incidents"]]


def state(ask: Asking, service_id: str) -> str:
    found: str = ask("GET", f"/services/{service_id}").body["service"]["status"]
    return found


def test_an_incident_makes_its_service_critical_until_it_is_acknowledged_and_resolved(
    ask: Asking, account: Account, shop: str
) -> None:
    seen = [state(ask, shop)]
    broken = account.by_hand.open_incident(shop)
    seen.append(state(ask, shop))
    for status in ("acknowledged", "resolved"):
        told = ask("PUT", "/incidents", change(broken, status=status), From=ADA)
        assert [each["status"] for each in told.body["incidents"]] == [status]
        seen.append(state(ask, shop))

    assert seen == ["active", "critical", "warning", "active"]


def test_a_disabled_service_stays_disabled_whatever_is_open(ask: Asking, account: Account, shop: str) -> None:
    account.by_hand.edit(shop, status="disabled")
    account.by_hand.open_incident(shop)

    assert state(ask, shop) == "disabled"


def test_a_service_that_is_gone_has_no_incidents_to_come(account: Account) -> None:
    with pytest.raises(Refusal, match="404"):
        account.by_hand.open_incident("PNONE")


def test_incidents_are_listed_by_service_and_state(
    ask: Asking, account: Account, shop: str, ada: str
) -> None:
    other = ask.service(ask.policy(ada, name="Nights"), name="Bakery")
    first, theirs = account.by_hand.open_incident(shop), account.by_hand.open_incident(other)
    second = account.by_hand.open_incident(shop, status="acknowledged")
    done = account.by_hand.open_incident(shop)
    ask("PUT", "/incidents", change(done), From=ADA)

    of_shop = ("service_ids[]", shop)
    assert listed(ask) == [first, theirs, second, done]
    assert listed(ask, of_shop) == [first, second, done]
    assert listed(ask, of_shop, ("statuses[]", "triggered")) == [first]
    assert listed(ask, of_shop, ("statuses[]", "triggered"), ("statuses[]", "acknowledged")) == [
        first,
        second,
    ]
    assert listed(ask, ("statuses[]", "resolved"), ("service_ids[]", other)) == []


def test_incidents_come_in_pages(ask: Asking, account: Account, shop: str) -> None:
    made = [account.by_hand.open_incident(shop) for _ in range(3)]
    first = ask("GET", "/incidents", None, ("limit", "2")).body
    last = ask("GET", "/incidents", None, ("limit", "2"), ("offset", "2")).body

    assert [each["id"] for each in first["incidents"] + last["incidents"]] == made
    assert (first["more"], last["more"]) == (True, False)


async def test_a_list_is_of_a_month_unless_it_is_to_be_of_all_times(
    ask: Asking, account: Account, clock: ManualClock, shop: str
) -> None:
    old = account.by_hand.open_incident(shop)
    await clock.advance(timedelta(days=31))

    assert listed(ask) == []
    assert listed(ask, ("date_range", "all")) == [old]


async def test_a_list_may_show_the_states_of_before(
    ask: Asking, account: Account, clock: ManualClock, shop: str
) -> None:
    account.faults.weather = Weather(incident_lag=timedelta(seconds=5))
    broken = account.by_hand.open_incident(shop)
    await clock.advance(timedelta(seconds=6))
    ask("PUT", "/incidents", change(broken), From=ADA)
    is_open = ("statuses[]", "triggered")
    early = listed(ask, is_open)
    await clock.advance(timedelta(seconds=6))

    assert (early, listed(ask, is_open)) == ([broken], [])


def refused(told: Told) -> tuple[int, int, str]:
    error = told.body["error"]
    return told.status, error["code"], error["message"]


@pytest.mark.parametrize(
    ("sender", "said"),
    [
        ({}, (2016, 'You must specify a user\'s email address in the "From" header to perform this action')),
        ({"From": "nobody@example.com"}, (1008, "Requester User Not Found")),
        ({"From": "Ada"}, (1028, 'Malformed "From" header')),
    ],
)
def test_with_a_key_of_the_account_a_user_must_be_named(
    ask: Asking, account: Account, shop: str, sender: dict[str, str], said: tuple[int, str]
) -> None:
    broken = account.by_hand.open_incident(shop)

    assert refused(ask("PUT", "/incidents", change(broken), **sender)) == (400, *said)
    assert listed(ask, ("statuses[]", "triggered")) == [broken]


def test_with_a_key_of_a_user_it_is_this_one(ask: Asking, account: Account, shop: str, ada: str) -> None:
    account.allow("of-ada", user=ada)
    broken = account.by_hand.open_incident(shop)
    told = ask("PUT", "/incidents", change(broken), Authorization="Token token=of-ada", Accept=ACCEPT)

    assert told.status == 200


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "the body must have an array 'incidents'"),
        ({"incidents": [{"type": "incident"}]}, "Id can't be blank"),
        ({"incidents": [{"id": "P1", "type": "alert"}]}, "Type is not included in the list"),
        (
            {"incidents": [{"id": "P1", "type": "incident", "status": "open"}]},
            "Status is not included in the list",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(ask: Asking, ada: str, body: dict[str, Any], said: str) -> None:
    told = ask("PUT", "/incidents", body, From=ADA)

    assert (told.status, told.errors) == (400, [said])


def test_a_state_that_does_not_exist_is_not_listed(ask: Asking) -> None:
    told = ask("GET", "/incidents", None, ("statuses[]", "open"))

    assert (told.status, told.errors) == (400, ["Statuses is not included in the list"])


def test_several_are_changed_together_or_not_at_all(ask: Asking, account: Account, shop: str) -> None:
    first, second = account.by_hand.open_incident(shop), account.by_hand.open_incident(shop)
    ask("PUT", "/incidents", change(first), From=ADA)
    again = ask("PUT", "/incidents", change(second, first), From=ADA)
    unknown = ask("PUT", "/incidents", change(second, "PNONE"), From=ADA)

    assert (again.status, again.errors) == (400, ["Incident Already Resolved"])
    assert unknown.status == 404
    assert listed(ask, ("statuses[]", "triggered")) == [second]


def test_more_than_250_are_too_many(ask: Asking, account: Account, shop: str) -> None:
    made = [account.by_hand.open_incident(shop) for _ in range(251)]

    assert ask("PUT", "/incidents", change(*made), From=ADA).status == 413
    assert ask("PUT", "/incidents", change(*made[1:]), From=ADA).status == 200

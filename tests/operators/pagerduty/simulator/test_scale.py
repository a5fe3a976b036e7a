"""Thousands of services under one key: the simulator must not be what is slow."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pagerduty_asking import policy, service

if TYPE_CHECKING:
    from pagerduty_asking import Asking
    from windlass.aio import ManualClock
    from windlass.operators.pagerduty.simulator import Account

EVENTS = "events_api_v2_inbound_integration"


async def test_two_thousand_services_are_looked_up_created_and_read_within_the_limit(
    ask: Asking, account: Account, clock: ManualClock, ada: str
) -> None:
    policies = [ask.policy(ada, name=f"Policy {number}") for number in range(20)]
    for number in range(2000):
        if number % 200 == 0:
            await clock.advance(timedelta(minutes=1))
        name = f"Service {number:05}"
        assert ask("GET", "/services", None, ("name", name)).body["services"] == []
        made = ask.service(policies[number % 20], name=name)
        body = {"integration": {"type": EVENTS, "name": "Events"}}
        ask("POST", f"/services/{made}/integrations", body)
        assert len(ask("GET", f"/services/{made}").body["service"]["integrations"]) == 1

    assert len({each.id for each in account.books.services}) == 2000
    assert account.rate.exceeded == 0


def test_the_ids_of_an_account_are_like_pagerdutys_and_never_twice(
    ask: Asking, account: Account, ada: str
) -> None:
    on_call = account.by_hand("POST", "/escalation_policies", policy(ada))["escalation_policy"]["id"]
    made = [
        account.by_hand("POST", "/services", service(on_call, name=str(number)))["service"]["id"]
        for number in range(500)
    ]

    assert len(set(made)) == 500
    assert all(len(each) == 7 and each[0] == "P" and each.isalnum() and each.isupper() for each in made)

"""What PagerDuty has done and does not show yet is neither done again nor forgotten."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from on_call import an_account, business_service, condition, exchanged, on_call, policy, service
from windlass.client import MergePatch
from windlass.operators.pagerduty import BusinessService, EscalationPolicy, PagerdutyService
from windlass.operators.pagerduty.simulator import Fault, Weather
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from windlass.aio import ManualClock
    from windlass.operators.pagerduty.simulator import Account
    from windlass.testing import Starter

LAG = timedelta(seconds=20)


@pytest.fixture
def account(clock: ManualClock) -> Account:
    """An account on the time of the test."""
    return an_account(clock)


async def test_an_integration_that_cannot_be_read_yet_is_not_made_twice(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p"))
        await trial.ready(PagerdutyService, "s")
        await clock.advance(LAG)
        account.faults.weather = Weather(read_lag=LAG)
        keys = {"integrations": [{"name": "alerts", "secret_name": "keys"}]}
        await trial.client.patch(PagerdutyService, "s", MergePatch({"spec": keys}))
        await trial.ready(PagerdutyService, "s")
        await trial.client.patch(PagerdutyService, "s", MergePatch({"spec": {"name": "renamed"}}))
        await trial.ready(PagerdutyService, "s")

    assert len(account.books.integrations) == 1


async def test_a_dependency_that_is_not_listed_yet_is_ended_all_the_same(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    account.faults.weather = Weather(dependency_lag=LAG)
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p"))
        await trial.ready(PagerdutyService, "s")
        await trial.client.create(business_service("b", supporting_services=[{"ref": "s"}]))
        await trial.ready(BusinessService, "b")
        none = MergePatch({"spec": {"supporting_services": []}})
        await trial.client.patch(BusinessService, "b", none)
        await trial.ready(BusinessService, "b")

    assert [each for each in account.books.dependencies if each.until is None] == []


async def test_a_request_that_waited_for_its_turn_is_looked_for_as_long_as_any_other(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    account.faults.weather = Weather(list_lag=LAG)
    account.faults.plant(Fault(status=429), method="POST")
    account.faults.plant(Fault(status=503, effective=True), method="POST")
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada))
        await exchanged(account, lambda each: each.status == 429)
        await trial.client.patch(EscalationPolicy, "p", MergePatch({"spec": {"name": "renamed"}}))
        await clock.advance(timedelta(seconds=70))
        await exchanged(account, lambda each: each.status == 503)
        await trial.until(EscalationPolicy, "p", lambda each: condition(each, "Ready")[1] == "Confirming")
        await trial.rest()
        await clock.advance(LAG * 2)
        await trial.ready(EscalationPolicy, "p")

    assert [each.name for each in account.books.policies] == ["renamed"]


async def test_an_object_is_not_let_go_while_what_it_asked_for_may_yet_be_made(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    account.faults.weather = Weather(list_lag=LAG)
    account.faults.plant(Fault(cut=True, effective=True), method="POST")
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada))
        await exchanged(account, lambda each: each.call.method == "POST")
        await trial.client.delete(EscalationPolicy, "p")
        await trial.until(
            EscalationPolicy,
            "p",
            lambda each: (
                bool(each.metadata.deletion_timestamp) and condition(each, "Ready")[1] == "Confirming"
            ),
        )
        await clock.advance(LAG * 2)
        await trial.gone(EscalationPolicy, "p")

    assert not len(account.books.policies)

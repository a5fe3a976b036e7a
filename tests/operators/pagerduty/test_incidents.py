"""Open incidents of a service that is deleted: resolved beforehand where that is wanted, and waited for."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from on_call import TOKEN, an_account, condition, on_call, policy, service, told
from pagerduty_checked import checked
from polling import until
from windlass.client import MergePatch
from windlass.kinds.events.v1 import Event
from windlass.operators.pagerduty import DELETION_POLICY, EscalationPolicy, PagerdutyService
from windlass.operators.pagerduty.simulator import Fault, Weather
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.aio import ManualClock
    from windlass.operators.pagerduty.simulator import Account
    from windlass.testing import Starter, Trial

ADA = "ada@example.com"
WANTED: dict[str, Any] = {"resolve_incidents_on_delete": True, "requester": ADA}
POLL = timedelta(seconds=2)


@pytest.fixture
def account(clock: ManualClock) -> Iterator[Account]:
    """An account on the clock of the test."""
    made = an_account(clock)
    faults = checked(made)
    yield made
    assert faults == []


async def a_service(trial: Trial, ada: str, **spec: object) -> str:
    """A service that is ready; its id."""
    await trial.client.create(policy("p", ada))
    await trial.client.create(service("s", escalation_policy_ref="p", **spec))
    made = await trial.ready(PagerdutyService, "s")
    return made.status.service_id


async def resolving(trial: Trial) -> PagerdutyService:
    """The service, once it waits for its incidents."""
    found = await trial.until(
        PagerdutyService, "s", lambda each: condition(each, "Ready")[1] == "ResolvingIncidents"
    )
    await trial.rest()  # only then is it known when to look again
    return found


async def notes(trial: Trial, reason: str) -> list[str]:
    """What events of a reason say, once there is one."""
    found = await until(
        lambda: trial.client.list(Event, trial.namespace),
        lambda events: reason in {each.reason for each in events},
    )
    return [each.note or "" for each in found if each.reason == reason]


def states(account: Account) -> list[str]:
    return [each.fields["status"] for each in account.books.incidents]


def writes(account: Account) -> list[str]:
    """What was changed or deleted."""
    return [str(each.call) for each in account.journal.writes() if each.call.method != "POST"]


async def test_open_incidents_are_resolved_before_their_service_is_deleted(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account, **WANTED), options=TrialOptions(clock=clock)) as trial:
        id_ = await a_service(trial, ada)
        account.by_hand.open_incident(id_)
        account.by_hand.open_incident(id_, status="acknowledged")
        await trial.client.delete(PagerdutyService, "s")
        waits = await resolving(trial)
        assert id_ in account.books.services
        await clock.advance(POLL)
        await trial.gone(PagerdutyService, "s")
        said = await notes(trial, "IncidentsResolved")

    assert told(waits) == "2 incidents are being resolved before it is deleted"
    assert said == [f"2 incidents are asked to be resolved, since {id_} is to be deleted"]
    assert states(account) == ["resolved", "resolved"]
    assert writes(account) == ["PUT /incidents", f"DELETE /services/{id_}"]
    (resolved,) = [each for each in account.journal.writes() if each.call.path == "/incidents"]
    assert resolved.call.headers["from"] == ADA


@pytest.mark.parametrize(
    ("operators", "own", "state"),
    [
        (False, {}, "triggered"),
        (False, {"resolve_incidents_on_delete": True}, "resolved"),
        (True, {}, "resolved"),
        (True, {"resolve_incidents_on_delete": False}, "triggered"),
    ],
)
async def test_a_service_says_whether_its_incidents_are_resolved_or_else_the_operator_does(
    operator: Starter,
    clock: ManualClock,
    ada: str,
    account: Account,
    *,
    operators: bool,
    own: Any,
    state: str,
) -> None:
    options = WANTED | {"resolve_incidents_on_delete": operators}
    async with operator(on_call(account, **options), options=TrialOptions(clock=clock)) as trial:
        account.by_hand.open_incident(await a_service(trial, ada, **own))
        await trial.client.delete(PagerdutyService, "s")
        if state == "resolved":
            await resolving(trial)
            await clock.advance(POLL)
        await trial.gone(PagerdutyService, "s")

    assert states(account) == [state]
    assert len(account.books.services) == 0


async def test_incidents_that_do_not_go_are_waited_for_ten_seconds_and_no_longer(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account, **WANTED), options=TrialOptions(clock=clock)) as trial:
        id_ = await a_service(trial, ada)
        account.by_hand.open_incident(id_)
        account.faults.weather = Weather(incident_lag=timedelta(hours=1))
        await trial.client.delete(PagerdutyService, "s")
        await resolving(trial)
        for _ in range(4):
            await clock.advance(POLL)
            await trial.rest()
        assert id_ in account.books.services
        looks = [str(each.call) for each in account.journal].count("GET /incidents")
        await clock.advance(POLL)
        await trial.gone(PagerdutyService, "s")
        said = await notes(trial, "IncidentsOpen")

    assert looks == 5
    assert id_ not in account.books.services
    assert said == [f"1 incident is still open, and {id_} is deleted all the same"]


async def test_an_incident_that_is_opened_meanwhile_is_resolved_too(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account, **WANTED), options=TrialOptions(clock=clock)) as trial:
        id_ = await a_service(trial, ada)
        account.by_hand.open_incident(id_)
        await trial.client.delete(PagerdutyService, "s")
        await resolving(trial)
        account.by_hand.open_incident(id_)
        await clock.advance(POLL)
        await trial.rest()
        await clock.advance(POLL)
        await trial.gone(PagerdutyService, "s")

    assert states(account) == ["resolved", "resolved"]


async def test_an_answer_that_is_lost_leads_to_another_look(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account, **WANTED), options=TrialOptions(clock=clock)) as trial:
        account.by_hand.open_incident(await a_service(trial, ada))
        account.faults.plant(Fault(cut=True, effective=True), method="PUT", path="/incidents")
        await trial.client.delete(PagerdutyService, "s")
        await trial.until(
            PagerdutyService, "s", lambda each: condition(each, "Synced") == ("False", "Unreachable")
        )
        await clock.advance(timedelta(minutes=1))
        await trial.gone(PagerdutyService, "s")

    assert states(account) == ["resolved"]


async def test_incidents_of_a_service_whose_creation_was_never_confirmed_are_resolved_too(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account, **WANTED), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.ready(EscalationPolicy, "p")
        account.faults.plant(Fault(cut=True, effective=True), method="POST", path="/services")
        await trial.client.create(service("s", escalation_policy_ref="p"))
        before = await trial.until(
            PagerdutyService, "s", lambda each: condition(each, "Synced") == ("False", "Unreachable")
        )
        (made,) = account.books.services
        account.by_hand.open_incident(made.id)
        await trial.client.delete(PagerdutyService, "s")
        after = await resolving(trial)
        await clock.advance(POLL)
        await trial.gone(PagerdutyService, "s")

    assert (before.status.service_id, after.status.service_id) == ("", made.id)
    assert states(account) == ["resolved"]
    assert len(account.books.services) == 0


async def test_without_a_user_in_whose_name_it_is_done_nothing_is_deleted(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    options = WANTED | {"requester": ""}
    async with operator(on_call(account, **options), options=TrialOptions(clock=clock)) as trial:
        id_ = await a_service(trial, ada)
        account.by_hand.open_incident(id_)
        await trial.client.delete(PagerdutyService, "s")
        refused = await trial.until(
            PagerdutyService, "s", lambda each: condition(each, "Ready")[1] == "InvalidInput"
        )
        assert id_ in account.books.services
        never = MergePatch({"spec": {"resolve_incidents_on_delete": False}})
        await trial.client.patch(PagerdutyService, "s", never)
        await trial.gone(PagerdutyService, "s")

    assert 'in the "From" header' in told(refused)
    assert states(account) == ["triggered"]


async def test_a_token_of_a_user_needs_no_other_name(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    account.allow(TOKEN, user=ada)
    options = WANTED | {"requester": ""}
    async with operator(on_call(account, **options), options=TrialOptions(clock=clock)) as trial:
        account.by_hand.open_incident(await a_service(trial, ada))
        await trial.client.delete(PagerdutyService, "s")
        await resolving(trial)
        await clock.advance(POLL)
        await trial.gone(PagerdutyService, "s")

    assert states(account) == ["resolved"]


async def test_incidents_of_an_orphan_are_left_to_those_who_keep_it(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account, **WANTED), options=TrialOptions(clock=clock)) as trial:
        account.by_hand.open_incident(await a_service(trial, ada))
        orphan = MergePatch({"metadata": {"annotations": {DELETION_POLICY: "Orphan"}}})
        await trial.client.patch(PagerdutyService, "s", orphan)
        await trial.client.delete(PagerdutyService, "s")
        await trial.gone(PagerdutyService, "s")

    assert states(account) == ["triggered"]
    assert len(account.books.services) == 1


async def test_hundreds_of_incidents_are_resolved_in_as_many_requests_as_it_takes(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account, **WANTED), options=TrialOptions(clock=clock)) as trial:
        id_ = await a_service(trial, ada)
        for _ in range(260):
            account.by_hand.open_incident(id_)
        await trial.client.delete(PagerdutyService, "s")
        await resolving(trial)
        await clock.advance(POLL)
        await trial.gone(PagerdutyService, "s")

    assert set(states(account)) == {"resolved"}
    assert writes(account) == ["PUT /incidents", "PUT /incidents", f"DELETE /services/{id_}"]

"""What the first operator of this name got wrong, each by its number: none of it may come back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from on_call import TOKEN, an_account, business_service, condition, exchanged, on_call, policy, service, told
from windlass.api import ObjectMeta, find_condition
from windlass.client import MergePatch
from windlass.kinds.core.v1 import Secret
from windlass.operators.pagerduty import (
    ADOPT,
    BusinessService,
    EscalationPolicy,
    PagerdutyService,
    TokenSecret,
)
from windlass.operators.pagerduty.simulator import Fault
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from windlass.aio import ManualClock
    from windlass.api import Json
    from windlass.operators.pagerduty.simulator import Account
    from windlass.testing import Starter

RESYNC = timedelta(minutes=12)  # a period, and the most that chance adds to it


def secret(name: str, token: str) -> Secret:
    return Secret(metadata=ObjectMeta(name=name), string_data={"PAGERDUTY_API_KEY": token})


def writes(account: Account) -> list[str]:
    return [str(each.call) for each in account.journal.writes()]


def fields(account: Account, id_: str) -> Json:
    books = account.books
    held = (each for each in (books.policies, books.services, books.business_services) if id_ in each)
    return next(held).get(id_).fields


@pytest.mark.parametrize("spelling", ["token_secret_ref", "tokenSecretRef"])
async def test_P01_the_token_comes_from_a_secret_and_its_rotation_is_noticed(
    operator: Starter, account: Account, ada: str, spelling: str
) -> None:
    account.revoke(TOKEN)
    account.allow("first")
    async with operator(on_call(account, token="")) as trial:
        await trial.client.create(policy("p", ada, **{spelling: {"name": "pagerduty"}}))
        await trial.until(
            EscalationPolicy, "p", lambda each: condition(each, "Ready") == ("False", "TokenMissing")
        )
        assert list(account.journal) == []
        await trial.client.create(secret("pagerduty", "wrong"))
        await trial.until(EscalationPolicy, "p", lambda each: condition(each, "Ready")[1] == "Unauthorized")
        await trial.client.patch(
            Secret, "pagerduty", MergePatch({"stringData": {"PAGERDUTY_API_KEY": "first"}})
        )
        await trial.ready(EscalationPolicy, "p")

    assert len(account.books.policies) == 1


async def test_P01_the_operator_has_a_token_of_its_own_in_a_secret(
    operator: Starter, account: Account, ada: str
) -> None:
    place = TokenSecret("default", "operator-token")
    async with operator(on_call(account, token="", token_secret=place)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.until(EscalationPolicy, "p", lambda each: condition(each, "Ready")[1] == "TokenMissing")
        made = secret(place.name, TOKEN)
        made.metadata.namespace = place.namespace
        await trial.client.create(made)
        await trial.ready(EscalationPolicy, "p")
        await trial.client.delete(Secret, place.name, place.namespace)


async def test_P02_a_changed_policy_reaches_pagerduty(operator: Starter, account: Account, ada: str) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada, num_loops=2))
        before = await trial.ready(EscalationPolicy, "p")
        await trial.client.patch(EscalationPolicy, "p", MergePatch({"spec": {"num_loops": 5}}))
        after = await trial.ready(EscalationPolicy, "p")

    assert before.status.last_synced_hash != after.status.last_synced_hash
    assert fields(account, before.status.policy_id)["num_loops"] == 5


async def test_P03_a_service_is_woken_by_the_policy_that_it_waits_for(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(service("s", escalation_policy_ref="p"))
        await trial.until(
            PagerdutyService, "s", lambda each: condition(each, "Ready") == ("False", "PolicyMissing")
        )
        await trial.client.create(policy("p", "PNOBODY"))
        waits = await trial.until(
            PagerdutyService, "s", lambda each: condition(each, "Ready")[1] == "PolicyNotReady"
        )
        rules = [{"escalation_delay_in_minutes": 1, "targets": [ada]}]
        await trial.client.patch(EscalationPolicy, "p", MergePatch({"spec": {"escalation_rules": rules}}))
        done = await trial.ready(PagerdutyService, "s")

    assert condition(waits, "ReferencesResolved") == ("False", "PolicyNotReady")
    assert done.status.escalation_policy_id
    assert condition(done, "ReferencesResolved") == ("True", "Resolved")


async def test_P04_a_service_whose_policy_has_vanished_is_not_ready(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p"))
        await trial.ready(PagerdutyService, "s")
        await trial.client.patch(
            PagerdutyService, "s", MergePatch({"spec": {"escalation_policy_ref": "none"}})
        )
        seen = await trial.until(
            PagerdutyService, "s", lambda each: each.status.observed_generation == each.metadata.generation
        )

    assert condition(seen, "Ready") == ("False", "PolicyMissing")
    assert condition(seen, "ReferencesResolved") == ("False", "PolicyMissing")
    assert seen.status.escalation_policy_id == ""


async def test_P05_what_was_deleted_by_hand_is_made_again(
    operator: Starter, clock: ManualClock, ada: str, account: Account
) -> None:
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada))
        before = await trial.ready(EscalationPolicy, "p")
        account.by_hand("DELETE", f"/escalation_policies/{before.status.policy_id}")
        await clock.advance(RESYNC)
        known = ("", before.status.policy_id)
        after = await trial.until(EscalationPolicy, "p", lambda each: each.status.policy_id not in known)
        await trial.ready(EscalationPolicy, "p")

    assert [each.id for each in account.books.policies] == [after.status.policy_id]


async def test_P06_what_is_gone_already_counts_as_deleted(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        made = await trial.ready(EscalationPolicy, "p")
        account.by_hand("DELETE", f"/escalation_policies/{made.status.policy_id}")
        await trial.client.delete(EscalationPolicy, "p")
        await trial.gone(EscalationPolicy, "p")


async def test_P07_an_object_that_is_on_its_way_out_gets_no_finalizer(
    operator: Starter, account: Account, ada: str
) -> None:
    going = policy("p", ada)
    going.metadata.finalizers = ["example.com/other"]
    going.metadata.annotations = {"windlass.dev/paused": "true"}  # so that the operator sees it too late
    async with operator(on_call(account)) as trial:
        await trial.client.create(going)
        await trial.client.delete(EscalationPolicy, "p")
        await trial.until(EscalationPolicy, "p", lambda each: condition(each, "Paused")[0] == "True")
        resumed = MergePatch({"metadata": {"annotations": {"windlass.dev/paused": None}}})
        await trial.client.patch(EscalationPolicy, "p", resumed)
        await trial.settled()  # the server would refuse the finalizer, and the operator would try for ever
        last = trial.runs("p")[0]
        left = await trial.client.get(EscalationPolicy, "p")
        await trial.client.patch(EscalationPolicy, "p", MergePatch({"metadata": {"finalizers": None}}))
        await trial.gone(EscalationPolicy, "p")

    assert left.metadata.finalizers == ["example.com/other"]
    assert (last.outcome, last.reason, last.writes) == ("ready", "Terminating", ())
    assert list(account.journal) == []


async def test_P10_an_answer_that_was_lost_leads_to_no_second_object(
    operator: Starter, account: Account, ada: str
) -> None:
    account.faults.plant(Fault(cut=True, effective=True), method="POST")
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        made = await trial.ready(EscalationPolicy, "p")

    assert [each.id for each in account.books.policies] == [made.status.policy_id]
    assert made.status.pending is None


async def test_P10_a_name_that_is_taken_is_adopted_only_when_that_is_allowed(
    operator: Starter, account: Account, ada: str
) -> None:
    rules = [{"escalation_delay_in_minutes": 1, "targets": [{"id": ada, "type": "user_reference"}]}]
    body = {"type": "escalation_policy", "name": "The P", "escalation_rules": rules}
    account.by_hand("POST", "/escalation_policies", {"escalation_policy": body})
    (theirs,) = account.books.policies
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        refused = await trial.until(
            EscalationPolicy, "p", lambda each: condition(each, "Ready")[1] == "NameConflict"
        )
        assert writes(account) == []
        await trial.client.patch(
            EscalationPolicy, "p", MergePatch({"metadata": {"annotations": {ADOPT: "true"}}})
        )
        adopted = await trial.ready(EscalationPolicy, "p")

    assert refused.status.policy_id == ""
    assert adopted.status.policy_id == theirs.id
    assert theirs.name == "the p"


async def test_P12_a_refusal_for_good_waits_for_a_change_of_the_object(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada, num_loops=12))
        refused = await trial.until(
            EscalationPolicy, "p", lambda each: condition(each, "Ready")[1] == "InvalidInput"
        )
        asked = len(list(account.journal))
        await clock.advance(timedelta(hours=3))
        await trial.rest()
        assert len(list(account.journal)) == asked
        await trial.client.patch(EscalationPolicy, "p", MergePatch({"spec": {"num_loops": 9}}))
        await trial.ready(EscalationPolicy, "p")

    assert condition(refused, "Stalled") == ("True", "InvalidInput")
    assert condition(refused, "Synced") == ("False", "InvalidInput")
    assert "less than or equal to 9" in told(refused)


async def test_P12_too_many_requests_are_made_up_for_when_pagerduty_says(
    operator: Starter, clock: ManualClock
) -> None:
    account = an_account(clock)
    ada = account.by_hand.add_user("Ada", "ada@example.com")
    account.faults.plant(Fault(status=429), method="POST")
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.until(EscalationPolicy, "p", lambda each: each.status.pending is not None)
        await exchanged(account, lambda each: each.status == 429)
        await clock.advance(timedelta(minutes=2))
        await trial.ready(EscalationPolicy, "p")

    refused, made = (each for each in account.journal if each.call.method == "POST")
    assert refused.reply is not None
    assert made.at - refused.at >= timedelta(seconds=int(refused.reply.headers["ratelimit-reset"]))
    assert len(account.books.policies) == 1


async def test_P14_a_policy_in_use_says_by_whom_and_goes_after_them(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p"))
        await trial.ready(PagerdutyService, "s")
        await trial.client.delete(EscalationPolicy, "p")
        held = await trial.until(
            EscalationPolicy, "p", lambda each: condition(each, "Ready") == ("False", "InUse")
        )
        await trial.client.delete(PagerdutyService, "s")
        await trial.gone(PagerdutyService, "s")
        await trial.gone(EscalationPolicy, "p")

    assert told(held).endswith(f"PagerdutyService {trial.namespace}/s")
    assert not len(account.books.policies)
    assert not len(account.books.services)


async def test_P14_a_policy_that_others_use_in_pagerduty_says_so(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada))
        made = await trial.ready(EscalationPolicy, "p")
        uses = {"id": made.status.policy_id, "type": "escalation_policy_reference"}
        body = {"type": "service", "name": "by hand", "escalation_policy": uses}
        account.by_hand("POST", "/services", {"service": body})
        (theirs,) = account.books.services
        await trial.client.delete(EscalationPolicy, "p")
        held = await trial.until(EscalationPolicy, "p", lambda each: condition(each, "Ready")[1] == "InUse")
        account.by_hand("DELETE", f"/services/{theirs.id}")
        await clock.advance(timedelta(minutes=1))
        await trial.gone(EscalationPolicy, "p")

    assert "service by hand" in told(held)


async def test_P15_the_id_of_a_business_service_is_read_in_both_spellings_and_written_in_one(
    operator: Starter, account: Account
) -> None:
    account.by_hand("POST", "/business_services", {"business_service": {"name": "the b"}})
    (theirs,) = account.books.business_services
    async with operator(on_call(account, token="")) as trial:
        await trial.client.create(business_service("b", token_secret_ref={"name": "pagerduty"}))
        await trial.until(BusinessService, "b", lambda each: condition(each, "Ready")[1] == "TokenMissing")
        await trial.client.status.patch(
            BusinessService, "b", MergePatch({"status": {"business_service_id ": theirs.id}})
        )
        await trial.client.create(secret("pagerduty", TOKEN))
        found = await trial.ready(BusinessService, "b")

    status = found.to_wire()["status"]
    assert status["business_service_id"] == theirs.id
    assert "business_service_id " not in status
    assert len(account.books.business_services) == 1


async def test_P16_a_business_service_rests_on_its_services_as_a_set(
    operator: Starter, account: Account, ada: str
) -> None:
    def resting() -> set[str]:
        return {each.supporting for each in account.books.dependencies if each.until is None}

    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(business_service("b", supporting_services=[{"ref": "one"}, {"ref": "two"}]))
        for name in ("one", "two", "three"):
            await trial.client.create(service(name, escalation_policy_ref="p"))
        await trial.ready(BusinessService, "b")
        ids = {
            name: (await trial.ready(PagerdutyService, name)).status.service_id
            for name in ("one", "two", "three")
        }
        assert resting() == {ids["one"], ids["two"]}
        wanted = [{"ref": "two"}, {"id": ids["three"]}]
        await trial.client.patch(BusinessService, "b", MergePatch({"spec": {"supporting_services": wanted}}))
        await trial.ready(BusinessService, "b")
        assert resting() == {ids["two"], ids["three"]}
        await trial.client.patch(BusinessService, "b", MergePatch({"spec": {"supporting_services": None}}))
        await trial.ready(BusinessService, "b")

    assert resting() == set()


async def test_P17_a_transition_time_moves_with_the_status_alone(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(service("s", escalation_policy_ref="p"))
        first = await trial.until(
            PagerdutyService, "s", lambda each: condition(each, "Ready")[1] == "PolicyMissing"
        )
        await clock.advance(timedelta(minutes=1))
        await trial.client.create(policy("p", "PNOBODY"))
        second = await trial.until(
            PagerdutyService, "s", lambda each: condition(each, "Ready")[1] == "PolicyNotReady"
        )
        await trial.client.delete(EscalationPolicy, "p")

    for type_ in ("Ready", "ReferencesResolved"):
        before, after = (find_condition(each.status.conditions, type_) for each in (first, second))
        assert before is not None
        assert after is not None
        assert before.message != after.message
        assert before.last_transition_time == after.last_transition_time
        assert after.observed_generation == second.metadata.generation
    assert second.status.observed_generation == second.metadata.generation

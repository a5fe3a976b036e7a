"""What the operator does for people, on the embedded server and an account at PagerDuty in this process."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from on_call import TOKEN, an_account, business_service, condition, on_call, policy, service, told
from polling import until
from windlass.api import ObjectMeta
from windlass.client import MergePatch
from windlass.kinds.core.v1 import Secret
from windlass.kinds.events.v1 import Event
from windlass.operators.pagerduty import (
    DELETION_POLICY,
    BusinessService,
    EscalationPolicy,
    PagerdutyService,
)
from windlass.operators.pagerduty.simulator import Fault, Weather
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from windlass.aio import ManualClock
    from windlass.operators.pagerduty.simulator import Account
    from windlass.testing import Starter

RESYNC = timedelta(minutes=12)
KEYS = [{"name": "alerts", "secret_name": "keys"}]


async def test_the_three_kinds_come_together_under_exactly_the_generated_role(
    operator: Starter, account: Account, ada: str
) -> None:
    options = TrialOptions(least_privilege=True)
    async with operator(on_call(account), options=options) as trial:
        await trial.client.create(business_service("b", supporting_services=[{"ref": "s"}]))
        await trial.client.create(service("s", escalation_policy_ref="p", integrations=KEYS))
        await trial.client.create(policy("p", ada))
        made = await trial.ready(BusinessService, "b")
        uses = await trial.ready(PagerdutyService, "s")
        key = await trial.client.get(Secret, "keys")
        await trial.client.delete(Secret, "keys")
        again = await trial.until(Secret, "keys", lambda found: found.metadata.uid != key.metadata.uid)
        await trial.client.patch(PagerdutyService, "s", MergePatch({"spec": {"integrations": []}}))
        await trial.gone(Secret, "keys")
        await trial.settled()
        for kind, name in ((EscalationPolicy, "p"), (PagerdutyService, "s"), (BusinessService, "b")):
            await trial.client.delete(kind, name)
        for kind, name in ((EscalationPolicy, "p"), (PagerdutyService, "s"), (BusinessService, "b")):
            await trial.gone(kind, name)
        assert trial.granted is not None
        trial.granted.check()

    assert again.data == key.data
    assert list(key.data or {}) == ["PAGERDUTY_KEY"]
    assert uses.status.url.endswith(uses.status.service_id)
    assert made.status.supporting_services[0].id == uses.status.service_id
    books = account.books
    assert not any(map(len, (books.policies, books.services, books.business_services)))


async def test_a_hand_edit_in_pagerduty_is_put_back(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada, num_loops=2))
        made = await trial.ready(EscalationPolicy, "p")
        live = account.books.policies.get(made.status.policy_id).fields
        account.by_hand.edit(made.status.policy_id, num_loops=7, description="by hand")
        await clock.advance(RESYNC)
        await trial.rest()

    assert live["num_loops"] == 2
    assert live["description"] == "by hand"  # nobody set it in the manifest


async def test_a_pass_over_what_is_as_it_should_be_changes_nothing(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada, num_loops=2, description="d"))
        await trial.client.create(
            service("s", escalation_policy_ref="p", integrations=KEYS, status="disabled")
        )
        await trial.client.create(business_service("b", supporting_services=[{"ref": "s"}]))
        await trial.ready(BusinessService, "b")
        made = await trial.ready(PagerdutyService, "s")
        written = len(account.journal.writes())
        await clock.advance(RESYNC * 3)
        await trial.rest()
        await trial.settled()

    assert len(account.journal.writes()) == written
    assert account.books.services.get(made.status.service_id).fields["set_status"] == "disabled"


async def test_P09_open_incidents_are_not_fought(
    operator: Starter, clock: ManualClock, account: Account, ada: str
) -> None:
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p", status="active"))
        made = await trial.ready(PagerdutyService, "s")
        account.by_hand.trouble(made.status.service_id, "critical")
        written = len(account.journal.writes())
        await clock.advance(RESYNC)
        await trial.rest()

    assert len(account.journal.writes()) == written


async def test_users_and_schedules_are_found_by_what_people_call_them(
    operator: Starter, account: Account, ada: str
) -> None:
    primary = account.by_hand.add_schedule("Primary", ada)
    targets = [{"email": "ada@example.com"}, {"schedule_name": "primary"}, {"type": "user", "id": ada}]
    rules = [{"escalation_delay_in_minutes": 5, "target_refs": targets, "assignment_strategy": "round_robin"}]
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada, escalation_rules=rules))
        made = await trial.ready(EscalationPolicy, "p")
        (rule,) = account.books.policies.get(made.status.policy_id).fields["escalation_rules"]
        rules[0]["target_refs"] = [{"email": "nobody@example.com"}]
        await trial.client.patch(EscalationPolicy, "p", MergePatch({"spec": {"escalation_rules": rules}}))
        missing = await trial.until(
            EscalationPolicy, "p", lambda each: condition(each, "ReferencesResolved")[0] == "False"
        )

    assert [target["id"] for target in rule["targets"]] == [ada, primary, ada]
    assert rule["escalation_rule_assignment_strategy"] == {"type": "round_robin"}
    assert condition(missing, "Ready") == ("False", "TargetMissing")
    assert told(missing) == "PagerDuty has no user nobody@example.com"


async def test_a_service_on_its_own_uses_the_policy_of_the_operator(
    operator: Starter, account: Account, ada: str
) -> None:
    rules = [{"escalation_delay_in_minutes": 1, "targets": [{"id": ada, "type": "user_reference"}]}]
    body = {"type": "escalation_policy", "name": "everybody", "escalation_rules": rules}
    account.by_hand("POST", "/escalation_policies", {"escalation_policy": body})
    (everybody,) = account.books.policies
    async with operator(on_call(account, default_policy=everybody.id)) as trial:
        await trial.client.create(service("s"))
        made = await trial.ready(PagerdutyService, "s")

    assert made.status.escalation_policy_id == everybody.id


async def test_a_service_without_any_policy_says_what_to_set(operator: Starter, account: Account) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(service("s"))
        refused = await trial.until(
            PagerdutyService, "s", lambda each: condition(each, "Ready")[1] == "PolicyUnspecified"
        )

    assert "escalation_policy_id" in told(refused)
    assert condition(refused, "Stalled")[0] == "True"


async def test_a_policy_in_another_namespace_is_found(operator: Starter, account: Account, ada: str) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref=f"{trial.namespace}/p"))
        await trial.ready(PagerdutyService, "s")


async def test_an_ability_that_the_account_lacks_is_named(
    operator: Starter, account: Account, ada: str
) -> None:
    team = account.by_hand.add_team("Shop")
    account.books.abilities.discard("teams")
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada, teams=team))
        lacking = await trial.until(
            EscalationPolicy, "p", lambda each: condition(each, "Ready")[1] == "AbilityMissing"
        )

    assert told(lacking).endswith("the account lacks the ability teams")
    assert lacking.status.pending is None


async def test_a_token_that_may_not_write_is_told_apart_from_one_that_is_unknown(
    operator: Starter, account: Account, ada: str
) -> None:
    account.allow(TOKEN, read_only=True)
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.until(EscalationPolicy, "p", lambda each: condition(each, "Ready")[1] == "Forbidden")


async def test_what_is_not_visible_yet_is_not_taken_for_deleted(
    operator: Starter, clock: ManualClock
) -> None:
    account = an_account(clock)
    ada = account.by_hand.add_user("Ada", "ada@example.com")
    account.faults.weather = Weather(read_lag=timedelta(seconds=20), list_lag=timedelta(seconds=20))
    async with operator(on_call(account), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(policy("p", ada))
        made = await trial.ready(EscalationPolicy, "p")
        await trial.client.patch(EscalationPolicy, "p", MergePatch({"spec": {"num_loops": 3}}))
        await trial.until(EscalationPolicy, "p", lambda each: condition(each, "Ready")[1] == "Settling")
        await clock.advance(timedelta(seconds=25))
        after = await trial.ready(EscalationPolicy, "p")

    assert after.status.policy_id == made.status.policy_id
    assert account.books.policies.get(made.status.policy_id).fields["num_loops"] == 3


async def test_an_orphan_stays_in_pagerduty(operator: Starter, account: Account, ada: str) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.ready(EscalationPolicy, "p")
        orphan = MergePatch({"metadata": {"annotations": {DELETION_POLICY: "Orphan"}}})
        await trial.client.patch(EscalationPolicy, "p", orphan)
        await trial.client.delete(EscalationPolicy, "p")
        await trial.gone(EscalationPolicy, "p")

    assert len(account.books.policies) == 1


async def test_two_resources_of_one_name_do_not_share_an_object(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("first", ada, name="same"))
        first = await trial.ready(EscalationPolicy, "first")
        await trial.client.create(policy("second", ada, name="SAME"))
        second = await trial.until(
            EscalationPolicy, "second", lambda each: condition(each, "Ready")[1] == "NameConflict"
        )
        await trial.client.delete(EscalationPolicy, "second")
        await trial.gone(EscalationPolicy, "second")

    assert told(second).startswith(f"'SAME' belongs to EscalationPolicy {trial.namespace}/first")
    assert [each.id for each in account.books.policies] == [first.status.policy_id]


async def test_a_secret_of_somebody_else_is_not_taken_over(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        theirs = Secret(metadata=ObjectMeta(name="keys"), data={"theirs": b"1"})
        await trial.client.create(theirs)
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p", integrations=KEYS))
        await trial.until(PagerdutyService, "s", lambda each: condition(each, "Ready")[1] == "SecretConflict")
        left = await trial.client.get(Secret, "keys")

    assert left.data == {"theirs": b"1"}
    assert not left.metadata.owner_references


async def test_a_supporting_service_that_has_vanished_is_told_and_holds_up_nothing_else(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p"))
        named = [{"id": "PNOWHERE"}, {"ref": "s"}, {"ref": "none"}]
        await trial.client.create(business_service("b", supporting_services=named))
        uses = await trial.ready(PagerdutyService, "s")
        seen = await trial.until(
            BusinessService,
            "b",
            lambda each: "PNOWHERE" in told(each) and bool(each.status.supporting_services),
        )

    assert condition(seen, "ReferencesResolved") == ("False", "ServiceMissing")
    assert told(seen) == "not in PagerDuty: service none, service PNOWHERE"
    assert [each.supporting for each in account.books.dependencies] == [uses.status.service_id]


async def test_a_server_that_fails_is_asked_again(operator: Starter, account: Account, ada: str) -> None:
    account.faults.plant(Fault(status=502, empty=True), method="GET", times=3)
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.ready(EscalationPolicy, "p")
        asked = [each.status for each in account.journal]

    assert asked == [502, 502, 502, 200, 201]


async def test_people_are_told_what_was_done(operator: Starter, account: Account, ada: str) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        made = await trial.ready(EscalationPolicy, "p")
        await trial.client.patch(EscalationPolicy, "p", MergePatch({"spec": {"num_loops": 3}}))
        told_of = await until(
            lambda: trial.client.list(Event, trial.namespace),
            lambda found: {"Created", "Updated"} <= {each.reason for each in found},
        )

    notes = {each.reason: each.note for each in told_of}
    assert notes["Created"] == f"escalation_policy {made.status.policy_id} was created in PagerDuty"
    assert notes["Updated"] == f"{made.status.policy_id} was changed in PagerDuty: num_loops"


async def test_objects_are_counted_by_what_they_say_of_themselves(
    operator: Starter, account: Account, ada: str
) -> None:
    async def shown() -> set[str]:
        lines = trial.manager.metrics.expose().body.decode().splitlines()
        return {line for line in lines if line.startswith("pagerduty_objects{")}

    ready = 'pagerduty_objects{kind="EscalationPolicy",ready="True",reason="PDEscalationPolicyReady"}'
    waits = 'pagerduty_objects{kind="PagerdutyService",ready="False",reason="PolicyMissing"} 1.0'
    async with operator(on_call(account)) as trial:
        for name in ("a", "b"):
            await trial.client.create(policy(name, ada))
        await trial.client.create(service("s", escalation_policy_ref="none"))
        await until(shown, lambda lines: lines == {f"{ready} 2.0", waits})
        await trial.client.delete(EscalationPolicy, "a")
        await until(shown, lambda lines: lines == {f"{ready} 1.0", waits})


async def test_requests_are_counted_by_route_and_the_rate_left_is_shown(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.ready(EscalationPolicy, "p")
        shown = trial.manager.metrics.expose().body.decode()

    assert 'pagerduty_requests_total{code="201",method="POST",route="/escalation_policies"} 1.0' in shown
    assert 'pagerduty_request_seconds_count{method="GET",route="/escalation_policies"} 1.0' in shown
    (left,) = [line for line in shown.splitlines() if line.startswith("pagerduty_requests_left{")]
    assert 890 < float(left.split()[-1]) <= 900
    assert TOKEN not in shown

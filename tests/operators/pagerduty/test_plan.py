"""What the operator would do to PagerDuty, told instead of done."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from on_call import TOKEN, on_call, policy, service
from windlass.aio import SystemClock
from windlass.api import Key
from windlass.client import Client, ClientOptions
from windlass.controller import plan
from windlass.operators.pagerduty import (
    EscalationPolicy,
    PagerDutyOptions,
    PagerdutyService,
    PagerdutyServiceController,
)
from windlass.operators.pagerduty.api import BudgetOptions, RequestMetrics, Road, Shares
from windlass.operators.pagerduty.controllers import Census, Desk
from windlass.operators.pagerduty.simulator import AccountWire
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from windlass.cluster import Cluster
    from windlass.operators.pagerduty.simulator import Account
    from windlass.testing import Starter


def controller(account: Account) -> PagerdutyServiceController:
    """The controller of services, without a manager."""
    clock, random = SystemClock(), Random(0)
    return PagerdutyServiceController(
        Desk(
            options=PagerDutyOptions(token=TOKEN),
            road=Road(wire=AccountWire(account), clock=clock, metrics=RequestMetrics()),
            shares=Shares(BudgetOptions(), clock=clock, random=random),
            random=random,
            census=Census(),
        )
    )


def listening(account: Account) -> set[str]:
    """The verbs of all that will be asked from now on."""
    heard: set[str] = set()
    account.journal.listen(lambda exchange: heard.add(exchange.call.method))
    return heard


async def test_a_plan_shows_the_service_that_would_be_created_and_creates_none(
    api_server: Cluster, account: Account
) -> None:
    wanted = service("s", escalation_policy_id="PPOLICY", description="Sells things")
    async with Client(api_server.transport(), ClientOptions(namespace="default")) as client:
        await install_kinds(client, (EscalationPolicy, PagerdutyService))
        made = await client.create(wanted)
        asked = listening(account)

        planned = await plan(controller(account), client, Key("default", "s"))

        assert await client.get(PagerdutyService, "s") == made

    (effect,) = planned.effects
    request, *fields = effect.what.splitlines()
    assert (request, effect.outcome) == ("POST /services", "planned")
    assert {
        '    description: "Sells things"',
        '    escalation_policy: {"id":"PPOLICY","type":"escalation_policy_reference"}',
        '    name: "the s"',
        "    auto_resolve_timeout: 14400",
    } <= set(fields)
    assert planned.ends == "what follows depends on the outcome of: POST /services"
    assert (asked, len(account.books.services)) == ({"GET"}, 0)


async def test_a_plan_shows_the_fields_that_would_be_changed_and_changes_none(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p", description="Sells things"))
        made = await trial.ready(PagerdutyService, "s")
        id_ = made.status.service_id
        await trial.rest()
        account.by_hand.edit(id_, description="by hand", auto_resolve_timeout=60)
        asked = listening(account)

        planned = await plan(controller(account), trial.client, Key(trial.namespace, "s"))

    assert [each.what for each in planned.effects] == [
        f'PUT /services/{id_}\n    description: "Sells things"'
    ]
    assert f'effect: PUT /services/{id_}\n    description: "Sells things"\n' in str(planned)
    assert (planned.outcome, planned.reason, planned.ends) == ("ready", "PDServiceReady", "")
    assert asked == {"GET"}
    assert account.books.services.get(id_).fields["description"] == "by hand"

"""Kinds of the operator that are taken away while it runs: what looks at them goes all the same.

Others would miss them, so the API server is the test's alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from on_call import business_service, condition, on_call, policy, service
from windlass.cache import Phase
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.operators.pagerduty import (
    DELETION_POLICY,
    BusinessService,
    EscalationPolicy,
    PagerdutyService,
)
from windlass.testing import Starter

if TYPE_CHECKING:
    from windlass.api import Resource
    from windlass.cluster import Cluster
    from windlass.operators.pagerduty.simulator import Account
    from windlass.testing import Trial


@pytest.fixture
def operator(api_server: Cluster) -> Starter:
    return Starter(api_server)


async def test_a_policy_is_let_go_when_there_are_no_services_any_more_of_any_kind(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p"))
        await trial.ready(PagerdutyService, "s")

        await _take_away(PagerdutyService, trial)
        await trial.client.delete(EscalationPolicy, "p")
        await trial.gone(EscalationPolicy, "p")

    assert not len(account.books.policies)


async def test_a_service_whose_policy_lost_its_kind_says_so_and_is_let_go(
    operator: Starter, account: Account, ada: str
) -> None:
    kept = policy("p", ada)
    kept.metadata.annotations = {DELETION_POLICY: "orphan"}
    async with operator(on_call(account)) as trial:
        await trial.client.create(kept)
        await trial.client.create(service("s", escalation_policy_ref="p"))
        await trial.ready(PagerdutyService, "s")

        await _take_away(EscalationPolicy, trial)
        await trial.until(PagerdutyService, "s", lambda found: _reason(found) == "PolicyMissing")
        await trial.client.delete(PagerdutyService, "s")
        await trial.gone(PagerdutyService, "s")

    assert not len(account.books.services)


async def test_a_business_service_whose_services_lost_their_kind_says_so_and_is_let_go(
    operator: Starter, account: Account, ada: str
) -> None:
    async with operator(on_call(account)) as trial:
        await trial.client.create(policy("p", ada))
        await trial.client.create(service("s", escalation_policy_ref="p"))
        await trial.client.create(business_service("b", supporting_services=[{"ref": "s"}]))
        await trial.ready(BusinessService, "b")

        await _take_away(PagerdutyService, trial)
        await trial.until(BusinessService, "b", lambda found: _reason(found) == "ServiceMissing")
        await trial.client.delete(BusinessService, "b")
        await trial.gone(BusinessService, "b")

    assert not len(account.books.business_services)


async def _take_away(kind: type[Resource], trial: Trial) -> None:
    """Delete a kind with all its objects, and wait until the operator knows."""
    await trial.client.delete(CustomResourceDefinition, f"{kind.__kind__.plural}.{kind.__kind__.group}")
    for informer in trial.manager.cache.informers:
        if informer.kind is kind:
            await informer.reach(Phase.WAITING)


def _reason(found: Any) -> str:
    return condition(found, "Ready")[1]

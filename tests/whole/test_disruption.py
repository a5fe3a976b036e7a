"""Budgets: how many pods may be evicted, and that no more are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from by_hand import PATIENCE, pods, pods_when, run, template
from deploying import LABELS, change, deployment, sizes
from polling import until
from telling import is_told
from windlass.api import Condition, ObjectMeta, Resource
from windlass.errors import TooManyRequests
from windlass.kinds.core.v1 import ConfigMap, Pod
from windlass.kinds.policy.v1 import PodDisruptionBudget

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Json
    from windlass.client import Client


def budget(**spec: Any) -> PodDisruptionBudget:
    body = {"selector": {"matchLabels": LABELS}, **spec}
    return PodDisruptionBudget.from_wire({"metadata": {"name": "web"}, "spec": body})


async def reported(client: Client, accept: Callable[[Json], bool] = bool) -> Json:
    """The status of the budget on the wire, without times, once a test accepts it."""

    async def ask() -> tuple[int, Json]:
        found = (await client.get(PodDisruptionBudget, "web")).to_wire()
        status = dict(found.get("status") or {})
        status["conditions"] = [
            (each["type"], each["status"], each["reason"]) for each in status.get("conditions", ())
        ]
        return found["metadata"]["generation"], status

    answer = await until(
        ask, lambda said: said[0] == said[1].get("observedGeneration") and accept(said[1]), patience=PATIENCE
    )
    return answer[1]


def counts(expected: int, desired: int, healthy: int, allowed: int) -> Json:
    said = ("True", "SufficientPods") if allowed else ("False", "InsufficientPods")
    return {
        "observedGeneration": 1,
        "expectedPods": expected,
        "desiredHealthy": desired,
        "currentHealthy": healthy,
        "disruptionsAllowed": allowed,
        "conditions": [("DisruptionAllowed", *said)],
    }


async def deployed(client: Client, replicas: int, ready: int) -> list[Pod]:
    made = deployment(replicas, template(LABELS, containers=[{"name": "main", "image": "web:v1"}]))
    await client.create(made)
    await sizes(client, v1=replicas)
    found = await pods(client, "app=web")
    await run(client, *found[:ready])
    return found


async def evict(client: Client, pod: Pod) -> None:
    name, namespace = pod.metadata.name, pod.metadata.namespace
    form = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name, "namespace": namespace}}
    await client.subresource("eviction").post_form(Pod, name, namespace, form)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"minAvailable": 2}, counts(4, 2, 3, 1)),
        ({"minAvailable": 3}, counts(4, 3, 3, 0)),
        ({"minAvailable": "60%"}, counts(4, 3, 3, 0)),
        ({"maxUnavailable": 2}, counts(4, 2, 3, 1)),
        ({"maxUnavailable": "30%"}, counts(4, 2, 3, 1)),
        ({"maxUnavailable": 0}, counts(4, 4, 3, 0)),
    ],
    ids=["number", "all", "share", "missing", "missing-share", "none"],
)
async def test_a_budget_tells_how_many_pods_may_go(client: Client, spec: Json, expected: Json) -> None:
    await deployed(client, 4, ready=3)
    await client.create(budget(**spec))

    assert await reported(client, lambda status: status["currentHealthy"] == 3) == expected


async def test_no_more_pods_are_evicted_than_a_budget_allows(client: Client) -> None:
    first, second, third = await deployed(client, 3, ready=3)
    await client.create(budget(maxUnavailable=1))
    await reported(client, lambda status: status["disruptionsAllowed"] == 1)
    await evict(client, first)
    with pytest.raises(TooManyRequests, match="violate the pod's disruption budget"):
        await evict(client, second)
    left = await pods_when(
        client, "app=web", lambda found: len(found) == 3 and first.metadata.name not in names(found)
    )
    await reported(client, lambda status: status["currentHealthy"] == 2)
    await run(client, *(pod for pod in left if pod.metadata.name not in names([second, third])))
    assert await reported(client, lambda status: status["disruptionsAllowed"] == 1) == counts(3, 2, 3, 1)
    await evict(client, second)


def names(found: Any) -> set[str]:
    return {pod.metadata.name for pod in found}


async def test_a_budget_follows_the_scale_of_what_owns_its_pods(client: Client) -> None:
    await deployed(client, 2, ready=2)
    await client.create(budget(maxUnavailable="50%"))
    assert await reported(client) == counts(2, 1, 2, 1)
    await change(client, replicas=6)
    await sizes(client, v1=6)
    grown = await reported(client, lambda status: status["expectedPods"] == 6)
    assert (grown["desiredHealthy"], grown["disruptionsAllowed"]) == (3, 0)

    await change(client, replicas=0)
    assert (await reported(client, lambda status: status["expectedPods"] == 0))["disruptionsAllowed"] == 0
    await is_told(client, "web", "NoPods", "No matching pods found")


async def lonely(client: Client, *owners: Resource) -> Pod:
    """A pod that runs, and that nobody keeps up."""
    references = [each.owner_reference().to_wire() for each in owners]
    metadata = {"name": "one", "labels": LABELS, "ownerReferences": references}
    body = {**template(LABELS), "apiVersion": "v1", "kind": "Pod", "metadata": metadata}
    made = await client.create(Pod.from_wire(body))
    await run(client, made)
    return made


async def test_a_number_of_pods_needs_no_owner_and_a_share_counts_only_what_has_one(client: Client) -> None:
    await client.create(budget(minAvailable=0))
    await lonely(client)
    assert await reported(client, lambda status: status["currentHealthy"] == 1) == counts(1, 0, 1, 1)

    await client.delete(PodDisruptionBudget, "web")
    await client.create(budget(minAvailable="0%"))
    assert await reported(client, lambda status: status["currentHealthy"] == 1) == counts(0, 0, 1, 0)


async def test_the_scale_of_an_owner_of_any_kind_is_asked_for(client: Client) -> None:
    owner = await client.create(deployment(3, paused=True))
    await lonely(client, owner)
    await client.create(budget(maxUnavailable="100%"))
    assert await reported(client) == counts(3, 0, 1, 1)


async def test_a_budget_over_pods_whose_owner_has_no_scale_allows_nothing(client: Client) -> None:
    made = ConfigMap(metadata=ObjectMeta(name="owner", namespace=client.options.namespace))
    await lonely(client, await client.create(made))
    await client.create(budget(maxUnavailable="100%"))

    async def ask() -> list[Condition]:
        return (await client.get(PodDisruptionBudget, "web")).status.conditions

    [condition] = await until(ask, patience=PATIENCE)
    assert (condition.status, condition.reason) == ("False", "SyncFailed")
    assert condition.message == "configmaps does not implement the scale subresource"

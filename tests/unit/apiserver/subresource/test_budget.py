"""Budgets in states that no client can write, only a controller that errs."""

from typing import Any

import pytest

from contract import Api, Object, pod
from windlass.cluster import Cluster


def put_budget(cluster: Cluster, **status: Any) -> None:
    budget: Object = {
        "metadata": {"name": "budget", "namespace": "default", "uid": "u", "generation": 1},
        "spec": {"selector": {}},
        "status": {"observedGeneration": 1, **status},
    }
    cluster.server.world.store.collection("policy/poddisruptionbudgets").put("default/budget", budget, None)


@pytest.mark.parametrize(
    ("status", "why"),
    [
        pytest.param({"disruptionsAllowed": -1}, "pdb disruptions allowed is negative", id="negative"),
        pytest.param(
            {"disruptionsAllowed": 1, "disruptedPods": {str(number): "" for number in range(2001)}},
            "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
            id="forgetful",
        ),
    ],
)
async def test_a_budget_that_makes_no_sense_forbids_evictions(
    cluster: Cluster, api: Api, pods: str, status: Object, why: str
) -> None:
    (await api.create(pods, pod("a"))).ok()
    (await api.patch(f"{pods}/a/status", {"status": {"phase": "Running"}})).ok()
    put_budget(cluster, **status)

    refused = (await api.create(f"{pods}/a/eviction", {"metadata": {"name": "a"}})).refused(403, "Forbidden")

    assert refused["message"] == f'poddisruptionbudget.policy "budget" is forbidden: {why}'


async def test_an_exhausted_budget_keeps_the_time_of_its_condition(
    cluster: Cluster, api: Api, pods: str
) -> None:
    (await api.create(pods, pod("a"))).ok()
    (await api.patch(f"{pods}/a/status", {"status": {"phase": "Running"}})).ok()
    since = "2020-01-01T00:00:00Z"
    known = {"type": "DisruptionAllowed", "status": "False", "reason": "Old", "lastTransitionTime": since}
    put_budget(cluster, disruptionsAllowed=1, conditions=[known])

    (await api.create(f"{pods}/a/eviction", {"metadata": {"name": "a"}})).ok()

    path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/budget"
    (condition,) = (await api.get(path)).ok()["status"]["conditions"]
    assert (condition["reason"], condition["lastTransitionTime"]) == ("InsufficientPods", since)

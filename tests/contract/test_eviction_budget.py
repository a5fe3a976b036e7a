"""eviction: what a disruption budget says, and what is written into it."""

from typing import Any

import pytest

from contract import Api, Object, pod
from contract_objects import disruption_budget, with_metadata, with_spec

ALLOWED = "DisruptionAllowed"
LONG_AGO = "2020-01-01T00:00:00Z"


@pytest.fixture
def budgets(namespace: str) -> str:
    return f"/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets"


def eviction(name: str = "a", **options: Any) -> Object:
    body: Object = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name}}
    return {**body, "deleteOptions": options} if options else body


async def running(api: Api, pods: str, *, ready: str = "True") -> str:
    """A pod that runs; its path."""
    (await api.create(pods, with_metadata(pod("a", nodeName="node-1"), labels={"app": "web"}))).ok()
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": ready}]}
    (await api.patch(f"{pods}/a/status", {"status": status})).ok()
    return f"{pods}/a"


async def budget(api: Api, budgets: str, spec: Object | None = None, **status: Any) -> str:
    """A budget whose controller has seen it, and says this; its path."""
    (await api.create(budgets, with_spec(disruption_budget("budget", "web"), **(spec or {})))).ok()
    seen = {"observedGeneration": 1, "expectedPods": 1, **status}
    (await api.patch(f"{budgets}/budget/status", {"status": seen})).ok()
    return f"{budgets}/budget"


def disallowed(reason: str, message: str) -> list[Object]:
    known = {"type": ALLOWED, "status": "False", "lastTransitionTime": LONG_AGO}
    return [{**known, "reason": reason, "message": message}]


@pytest.mark.parametrize(
    ("status", "why"),
    [
        pytest.param(
            {"currentHealthy": 1, "desiredHealthy": 2},
            "needs 2 healthy pods and has 1 currently",
            id="too-few",
        ),
        pytest.param(
            {"currentHealthy": 3, "desiredHealthy": 2},
            "does not allow evicting pods currently",
            id="for-no-reason",
        ),
        pytest.param(
            {
                "currentHealthy": 3,
                "desiredHealthy": 2,
                "conditions": disallowed("InsufficientPods", "too few"),
            },
            "does not allow evicting pods currently (InsufficientPods): too few",
            id="for-a-reason",
        ),
        pytest.param(
            {
                "currentHealthy": 1,
                "desiredHealthy": 2,
                "conditions": disallowed("SyncFailed", "no such controller"),
            },
            "does not allow evicting pods currently because it failed sync: no such controller",
            id="not-in-sync",
        ),
    ],
)
async def test_a_budget_says_why_it_allows_nothing(
    api: Api, pods: str, budgets: str, status: Object, why: str
) -> None:
    path = await running(api, pods)
    await budget(api, budgets, disruptionsAllowed=0, **status)

    refused = (await api.create(f"{path}/eviction", eviction())).refused(429, "TooManyRequests")

    (cause,) = refused["details"]["causes"]
    assert cause == {"reason": "DisruptionBudget", "message": f"The disruption budget budget {why}"}


@pytest.mark.parametrize(
    ("spec", "status"),
    [
        pytest.param({}, {"currentHealthy": 2, "desiredHealthy": 2}, id="enough-others-are"),
        pytest.param(
            {"unhealthyPodEvictionPolicy": "AlwaysAllow"},
            {"currentHealthy": 0, "desiredHealthy": 2},
            id="always-allowed",
        ),
    ],
)
async def test_a_pod_that_is_not_ready_costs_the_budget_nothing(
    api: Api, pods: str, budgets: str, spec: Object, status: Object
) -> None:
    path = await running(api, pods, ready="False")
    spared = await budget(api, budgets, spec, disruptionsAllowed=0, **status)
    before = (await api.get(spared)).ok()

    (await api.create(f"{path}/eviction", eviction())).ok()

    assert (await api.get(path)).ok()["metadata"]["deletionTimestamp"]
    assert (await api.get(spared)).ok() == before


async def test_a_pod_that_is_not_ready_is_kept_while_too_few_are(api: Api, pods: str, budgets: str) -> None:
    path = await running(api, pods, ready="False")
    await budget(api, budgets, disruptionsAllowed=0, currentHealthy=1, desiredHealthy=2)

    (await api.create(f"{path}/eviction", eviction())).refused(429, "TooManyRequests")


async def test_the_last_disruption_is_written_down_by_the_server(api: Api, pods: str, budgets: str) -> None:
    path = await running(api, pods)
    spent = await budget(api, budgets, disruptionsAllowed=1, currentHealthy=2, desiredHealthy=1)

    (await api.create(f"{path}/eviction", eviction())).ok()

    body = (await api.get(spent)).ok()
    (condition,) = body["status"]["conditions"]
    assert {key: value for key, value in condition.items() if key != "lastTransitionTime"} == {
        "type": ALLOWED,
        "status": "False",
        "observedGeneration": 1,
        "reason": "InsufficientPods",
        "message": "",
    }
    writers = [(each["manager"], each.get("subresource")) for each in body["metadata"]["managedFields"]]
    assert ("kube-apiserver", "status") in writers


async def test_a_refused_eviction_spends_nothing(api: Api, pods: str, budgets: str) -> None:
    path = await running(api, pods)
    kept = await budget(api, budgets, disruptionsAllowed=1, currentHealthy=2, desiredHealthy=1)
    before = (await api.get(kept)).ok()

    (await api.create(f"{path}/eviction", eviction(dryRun=["All"]))).ok()
    wrong = await api.create(f"{path}/eviction", eviction(dryRun=["Some"]))

    assert wrong.refused(422, "Invalid")["details"]["kind"] == "DeleteOptions"
    assert (await api.get(kept)).ok() == before


@pytest.mark.parametrize("field", ["uid", "resourceVersion"])
async def test_an_eviction_may_be_meant_for_one_pod_as_it_is(api: Api, pods: str, field: str) -> None:
    path = await running(api, pods)
    found = (await api.get(path)).ok()["metadata"][field]

    refused = (await api.create(f"{path}/eviction", eviction(preconditions={field: "1"}))).refused(
        409, "Conflict"
    )
    (await api.create(f"{path}/eviction", eviction(preconditions={field: found}))).ok()

    assert "in the precondition (1) does not match" in refused["message"]
    assert (await api.get(path)).ok()["metadata"]["deletionTimestamp"]


async def test_an_eviction_of_the_older_version_is_the_same(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    (await api.create(f"{pods}/a/eviction", {**eviction(), "apiVersion": "policy/v1beta1"})).ok()

    (await api.get(f"{pods}/a")).refused(404, "NotFound")


async def test_an_evicted_pod_is_marked_by_nobody(api: Api, pods: str) -> None:
    path = await running(api, pods)
    before = (await api.get(path)).ok()["metadata"]["managedFields"]

    (await api.create(f"{path}/eviction", eviction())).ok()

    assert (await api.get(path)).ok()["metadata"]["managedFields"] == before

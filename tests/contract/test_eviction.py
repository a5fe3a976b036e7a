"""eviction: deleting a pod as far as its disruption budget allows."""

import pytest

from contract import Api, Object, pod
from contract_objects import disruption_budget, with_metadata

VIOLATION = "Cannot evict pod as it would violate the pod's disruption budget."


@pytest.fixture
def budgets(namespace: str) -> str:
    return f"/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets"


def eviction(name: str, **options: object) -> Object:
    return {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": name},
        **({"deleteOptions": options} if options else {}),
    }


async def running(api: Api, pods: str, name: str = "a") -> str:
    """A pod that runs and is ready; its path."""
    body = with_metadata(pod(name, nodeName="node-1"), labels={"app": "web"})
    (await api.create(pods, body)).ok()
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    (await api.patch(f"{pods}/{name}/status", {"status": ready})).ok()
    return f"{pods}/{name}"


async def budget(api: Api, budgets: str, **status: int) -> str:
    """A budget whose controller has seen it, and says this; its path."""
    (await api.create(budgets, disruption_budget("budget", "web"))).ok()
    seen = {"observedGeneration": 1, "expectedPods": 1, **status}
    (await api.patch(f"{budgets}/budget/status", {"status": seen})).ok()
    return f"{budgets}/budget"


async def test_an_eviction_deletes_the_pod(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    reply = await api.create(f"{pods}/a/eviction", eviction("a"))

    assert reply.status == 201
    assert reply.body == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Success",
        "code": 201,
    }
    (await api.get(f"{pods}/a")).refused(404, "NotFound")


async def test_an_evicted_pod_gets_its_grace_period_and_a_reason(api: Api, pods: str) -> None:
    path = await running(api, pods)

    (await api.create(f"{path}/eviction", eviction("a"))).ok()

    evicted = (await api.get(path)).ok()
    target = evicted["status"]["conditions"][-1]
    assert evicted["metadata"]["deletionGracePeriodSeconds"] == 30
    assert (target["type"], target["status"]) == ("DisruptionTarget", "True")
    assert (target["reason"], target["message"]) == ("EvictionByEvictionAPI", "Eviction API: evicting")


async def test_an_eviction_may_set_the_grace_period(api: Api, pods: str) -> None:
    path = await running(api, pods)

    (await api.create(f"{path}/eviction", eviction("a", gracePeriodSeconds=0))).ok()

    (await api.get(path)).refused(404, "NotFound")


async def test_an_eviction_that_breaks_the_budget_is_too_many(api: Api, pods: str, budgets: str) -> None:
    path = await running(api, pods)
    await budget(api, budgets, disruptionsAllowed=0, currentHealthy=1, desiredHealthy=1)

    reply = await api.create(f"{path}/eviction", eviction("a"))

    refused = reply.refused(429, "TooManyRequests")
    assert refused["message"] == VIOLATION
    assert refused["details"]["causes"] == [
        {
            "reason": "DisruptionBudget",
            "message": "The disruption budget budget needs 1 healthy pods and has 1 currently",
        }
    ]
    assert "retry-after" not in reply.headers
    assert "deletionTimestamp" not in (await api.get(path)).ok()["metadata"]


async def test_an_eviction_waits_for_the_controller_of_a_new_budget(
    api: Api, pods: str, budgets: str
) -> None:
    path = await running(api, pods)
    (await api.create(budgets, disruption_budget("budget", "web"))).ok()

    reply = await api.create(f"{path}/eviction", eviction("a"))

    refused = reply.refused(429, "TooManyRequests")
    assert refused["details"] == {
        "causes": [
            {
                "reason": "DisruptionBudget",
                "message": "The disruption budget budget is still being processed by the server.",
            }
        ],
        "retryAfterSeconds": 10,
    }
    assert reply.headers["retry-after"] == "10"


async def test_an_allowed_eviction_is_taken_from_the_budget(api: Api, pods: str, budgets: str) -> None:
    path = await running(api, pods)
    spent = await budget(api, budgets, disruptionsAllowed=1, currentHealthy=2, desiredHealthy=1)

    reply = await api.create(f"{path}/eviction", eviction("a"))

    status = (await api.get(spent)).ok()["status"]
    assert reply.status == 201
    assert status["disruptionsAllowed"] == 0
    assert list(status["disruptedPods"]) == ["a"]


async def test_a_pod_that_does_not_run_is_no_matter_of_the_budget(api: Api, pods: str, budgets: str) -> None:
    (await api.create(pods, with_metadata(pod("a"), labels={"app": "web"}))).ok()
    await budget(api, budgets, disruptionsAllowed=0, currentHealthy=0, desiredHealthy=1)

    (await api.create(f"{pods}/a/eviction", eviction("a"))).ok()

    (await api.get(f"{pods}/a")).refused(404, "NotFound")


async def test_a_terminating_pod_may_be_evicted_whatever_the_budget(
    api: Api, pods: str, budgets: str
) -> None:
    path = await running(api, pods)
    await budget(api, budgets, disruptionsAllowed=0, currentHealthy=1, desiredHealthy=1)
    (await api.delete(path)).ok()

    assert (await api.create(f"{path}/eviction", eviction("a"))).status == 201


async def test_two_budgets_for_one_pod_are_more_than_an_eviction_can_honour(
    api: Api, pods: str, budgets: str
) -> None:
    path = await running(api, pods)
    for name in ("first", "second"):
        (await api.create(budgets, disruption_budget(name, "web"))).ok()

    reply = await api.create(f"{path}/eviction", eviction("a"))

    assert reply.status == 500
    assert reply.body["message"] == (
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
    )


async def test_an_eviction_of_a_missing_pod_finds_nothing(api: Api, pods: str) -> None:
    refused = (await api.create(f"{pods}/a/eviction", eviction("a"))).refused(404, "NotFound")

    assert refused["message"] == 'pods "a" not found'


async def test_an_eviction_carries_the_name_of_the_path(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    refused = (await api.create(f"{pods}/a/eviction", eviction("b"))).refused(400, "BadRequest")

    assert refused["message"] == "name in URL does not match name in Eviction object"


@pytest.mark.parametrize("in_the_body", [True, False])
async def test_a_dry_eviction_leaves_the_pod(api: Api, pods: str, in_the_body: object) -> None:
    created = (await api.create(pods, pod("a"))).ok()

    if in_the_body:
        reply = await api.create(f"{pods}/a/eviction", eviction("a", dryRun=["All"]))
    else:
        reply = await api.create(f"{pods}/a/eviction", eviction("a"), dryRun="All")

    assert reply.status == 201
    assert (await api.get(f"{pods}/a")).ok() == created


@pytest.mark.parametrize(("said", "shown"), [(["All", "All"], "[All All]"), (["x"], "[x]")])
async def test_an_eviction_that_is_dry_in_two_ways_is_refused(
    api: Api, pods: str, said: list[str], shown: str
) -> None:
    created = (await api.create(pods, pod("a"))).ok()

    reply = await api.create(f"{pods}/a/eviction", eviction("a", dryRun=said), dryRun="All")

    why = f"Non-matching dry-run options in request and content: [All] and {shown}"
    assert (reply.status, reply.body["message"], reply.body.get("reason")) == (500, why, None)
    assert (await api.get(f"{pods}/a")).ok() == created


async def test_a_dry_eviction_asks_the_budget(api: Api, pods: str, budgets: str) -> None:
    path = await running(api, pods)
    await budget(api, budgets, disruptionsAllowed=0, currentHealthy=1, desiredHealthy=1)

    reply = await api.create(f"{path}/eviction", eviction("a"), dryRun="All")

    reply.refused(429, "TooManyRequests")

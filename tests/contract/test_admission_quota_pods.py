"""quotas of pods: what they ask for and may take, in which scopes."""

from typing import Any

import pytest

from contract import STRATEGIC, Api, Object, pod
from contract_quota import Quotas, container

SELECTOR = "scopeSelector"


@pytest.fixture
def quotas(api: Api, namespace: str) -> Quotas:
    return Quotas(api, namespace)


def expression(name: str, operator: str = "Exists", *values: str) -> Object:
    """A selector of scopes."""
    chosen = {"values": list(values)} if values else {}
    return {"matchExpressions": [{"scopeName": name, "operator": operator, **chosen}]}


def nearby(**where: Any) -> Object:
    """The affinity of a pod to others, somewhere."""
    term = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}, **where}
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def preferably(**where: Any) -> Object:
    """The preference of a pod for others, somewhere."""
    term = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}, **where}
    preferred = [{"weight": 1, "podAffinityTerm": term}]
    return {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}


async def test_a_pod_uses_what_its_containers_ask_for_and_may_take(
    api: Api, quotas: Quotas, pods: str
) -> None:
    names = ("cpu", "memory", "ephemeral-storage")
    limited = [f"{prefix}{name}" for prefix in ("", "requests.", "limits.") for name in names]
    await quotas.limit({**dict.fromkeys(limited, "10Gi"), "pods": "2", "count/pods": "2"})
    amounts = {"cpu": "500m", "memory": "64Mi", "ephemeral-storage": "1G"}
    more = {"cpu": "1", "memory": "128Mi", "ephemeral-storage": "2G"}
    both = [container("a", requests=amounts, limits=more), container("b", requests=amounts, limits=more)]

    (await api.create(pods, pod("a", containers=both))).ok()

    asked = {"cpu": "1", "memory": "128Mi", "ephemeral-storage": "2G"}
    taken = {"cpu": "2", "memory": "256Mi", "ephemeral-storage": "4G"}
    assert await quotas.used() == {
        **asked,
        **{f"requests.{name}": amount for name, amount in asked.items()},
        **{f"limits.{name}": amount for name, amount in taken.items()},
        "pods": "1",
        "count/pods": "1",
    }


async def test_a_pod_that_asks_for_too_much_is_refused(api: Api, quotas: Quotas, pods: str) -> None:
    await quotas.limit({"requests.cpu": "1", "limits.memory": "1Gi", "pods": "5"})
    hungry = container(requests={"cpu": "1200m"}, limits={"memory": "2Gi", "cpu": "2"})

    refused = await api.create(pods, pod("a", containers=[hungry]))

    assert refused.refused(403, "Forbidden")["message"] == (
        'pods "a" is forbidden: exceeded quota: most, requested: limits.memory=2Gi,requests.cpu=1200m, '
        "used: limits.memory=0,requests.cpu=0, limited: limits.memory=1Gi,requests.cpu=1"
    )


async def test_containers_must_say_what_is_limited(api: Api, quotas: Quotas, pods: str) -> None:
    await quotas.limit({"requests.cpu": "1", "limits.memory": "1Gi", "limits.ephemeral-storage": "1Gi"})
    silent = pod(
        "a",
        containers=[container("b", requests={"cpu": "1m"}), container("a")],
        initContainers=[container("c", limits={"memory": "1Mi"})],
    )

    refused = await api.create(pods, silent)

    assert refused.refused(403, "Forbidden")["message"] == (
        'pods "a" is forbidden: failed quota: most: must specify limits.memory for: a,b; requests.cpu for: a,c'
    )


async def test_a_pod_may_say_as_a_whole_what_is_limited(api: Api, quotas: Quotas, pods: str) -> None:
    await quotas.limit({"requests.cpu": "1", "limits.memory": "1Gi"})
    whole = {"requests": {"cpu": "200m"}, "limits": {"cpu": "1", "memory": "256Mi"}}

    (await api.create(pods, pod("a", resources=whole))).ok()

    assert await quotas.used() == {"requests.cpu": "200m", "limits.memory": "256Mi"}


async def test_init_containers_count_where_the_start_needs_more(api: Api, quotas: Quotas, pods: str) -> None:
    await quotas.limit({"requests.cpu": "10", "requests.memory": "10Gi"})
    spec = {
        "containers": [container(requests={"cpu": "1", "memory": "1Gi"})],
        "initContainers": [
            container("beside", requests={"cpu": "1", "memory": "1Gi"}) | {"restartPolicy": "Always"},
            container("first", requests={"cpu": "3", "memory": "512Mi"}),
        ],
    }

    (await api.create(pods, pod("a", **spec))).ok()

    assert await quotas.used() == {"requests.cpu": "4", "requests.memory": "2Gi"}


async def test_extended_resources_and_huge_pages_are_counted_by_what_is_asked_for(
    api: Api, quotas: Quotas, pods: str
) -> None:
    hard = {"requests.example.com/gpu": "4", "hugepages-2Mi": "8Mi", "requests.hugepages-2Mi": "8Mi"}
    await quotas.limit(hard)
    amounts = {"example.com/gpu": "3", "hugepages-2Mi": "4Mi", "cpu": "1"}

    (await api.create(pods, pod("a", containers=[container(requests=amounts, limits=amounts)]))).ok()
    assert await quotas.used() == {
        "requests.example.com/gpu": "3",
        "hugepages-2Mi": "4Mi",
        "requests.hugepages-2Mi": "4Mi",
    }
    refused = await api.create(pods, pod("b", containers=[container(requests=amounts, limits=amounts)]))

    assert refused.body["message"].endswith(
        "exceeded quota: most, requested: requests.example.com/gpu=3, "
        "used: requests.example.com/gpu=3, limited: requests.example.com/gpu=4"
    )


@pytest.mark.parametrize(
    ("scope", "inside", "outside"),
    [
        ("Terminating", {"activeDeadlineSeconds": 5}, {}),
        ("NotTerminating", {}, {"activeDeadlineSeconds": 5}),
        ("BestEffort", {}, {"containers": [container(requests={"cpu": "1"})]}),
        ("NotBestEffort", {"containers": [container(limits={"memory": "1Mi"})]}, {}),
        ("PriorityClass", {"priorityClassName": "system-node-critical"}, {}),
        ("CrossNamespacePodAffinity", {"affinity": nearby(namespaces=["x"])}, {"affinity": nearby()}),
        ("CrossNamespacePodAffinity", {"affinity": nearby(namespaceSelector={})}, {}),
        ("CrossNamespacePodAffinity", {"affinity": preferably(namespaces=["x"])}, {"affinity": preferably()}),
    ],
)
async def test_a_scope_says_which_pods_count(
    quotas: Quotas, pods: str, scope: str, inside: Object, outside: Object
) -> None:
    await quotas.limit({"pods": "1"}, scopes=[scope])

    (await quotas.api.create(pods, pod("out", **outside))).ok()
    assert await quotas.used() == {"pods": "0"}
    (await quotas.api.create(pods, pod("in", **inside))).ok()
    assert await quotas.used() == {"pods": "1"}

    (await quotas.api.create(pods, pod("more", **inside))).refused(403, "Forbidden")


@pytest.mark.parametrize(
    ("selector", "with_class", "without"),
    [
        (expression("PriorityClass"), "1", "0"),
        (expression("PriorityClass", "DoesNotExist"), "0", "1"),
        (expression("PriorityClass", "In", "system-node-critical", "x"), "1", "0"),
        (expression("PriorityClass", "In", "x"), "0", "0"),
        (expression("PriorityClass", "NotIn", "system-node-critical"), "0", "1"),
        (expression("PriorityClass", "NotIn", "x"), "1", "1"),
        (expression("Terminating"), "0", "0"),
    ],
)
async def test_a_selector_says_which_pods_count(
    quotas: Quotas, pods: str, selector: Object, with_class: str, without: str
) -> None:
    await quotas.limit({"pods": "9"}, scopeSelector=selector)

    (await quotas.api.create(pods, pod("a", priorityClassName="system-node-critical"))).ok()
    assert await quotas.used() == {"pods": with_class}
    await quotas.tell({"pods": "9"}, {"pods": "0"})
    (await quotas.api.create(pods, pod("b"))).ok()

    assert await quotas.used() == {"pods": without}


async def test_all_scopes_must_fit(api: Api, quotas: Quotas, pods: str) -> None:
    await quotas.limit({"pods": "9"}, scopes=["BestEffort"], scopeSelector=expression("PriorityClass"))

    (await api.create(pods, pod("a", priorityClassName="system-node-critical"))).ok()
    (await api.create(pods, pod("b"))).ok()

    assert await quotas.used() == {"pods": "1"}


async def test_a_pod_that_gets_a_deadline_moves_to_the_other_quota(
    api: Api, quotas: Quotas, pods: str
) -> None:
    await quotas.limit({"pods": "1"}, name="ending", scopes=["Terminating"])
    await quotas.limit({"pods": "5"}, name="staying", scopes=["NotTerminating"])
    (await api.create(pods, pod("a"))).ok()
    (await api.create(pods, pod("b"))).ok()

    (await api.patch(f"{pods}/a", {"spec": {"activeDeadlineSeconds": 60}})).ok()
    refused = await api.patch(f"{pods}/b", {"spec": {"activeDeadlineSeconds": 60}})

    assert "exceeded quota: ending, requested: pods=1" in refused.refused(403, "Forbidden")["message"]
    assert await quotas.used("ending") == {"pods": "1"}
    assert await quotas.used("staying") == {"pods": "2"}  # until somebody counts again


async def test_other_changes_of_a_pod_are_not_counted(api: Api, quotas: Quotas, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()
    await quotas.limit({"pods": "0", "requests.cpu": "0"})

    (await api.patch(f"{pods}/a", {"metadata": {"labels": {"a": "b"}}})).ok()
    (await api.patch(f"{pods}/a/status", {"status": {"phase": "Running"}})).ok()

    assert await quotas.used() == {"pods": "0", "requests.cpu": "0"}


async def test_a_resize_is_charged_what_it_asks_for_more(api: Api, quotas: Quotas, pods: str) -> None:
    await quotas.limit({"requests.cpu": "1", "requests.memory": "1Gi"})
    small = container(requests={"cpu": "400m", "memory": "512Mi"})
    (await api.create(pods, pod("a", containers=[small]))).ok()

    def sized(cpu: str, memory: str) -> Object:
        return {
            "spec": {
                "containers": [{"name": "main", "resources": {"requests": {"cpu": cpu, "memory": memory}}}]
            }
        }

    (await api.patch(f"{pods}/a/resize", sized("900m", "256Mi"), STRATEGIC)).ok()
    assert await quotas.used() == {"requests.cpu": "900m", "requests.memory": "512Mi"}
    refused = await api.patch(f"{pods}/a/resize", sized("1100m", "256Mi"), STRATEGIC)

    assert refused.refused(403, "Forbidden")["message"] == (
        'pods "a" is forbidden: exceeded quota: most, requested: requests.cpu=200m, '
        "used: requests.cpu=900m, limited: requests.cpu=1"
    )


async def test_a_resize_counts_what_the_node_still_gives(api: Api, quotas: Quotas, pods: str) -> None:
    small = container(requests={"cpu": "100m"})
    (await api.create(pods, pod("a", containers=[small]))).ok()
    seen = {
        "name": "main",
        "image": "example.com/app:1",
        "imageID": "",
        "ready": True,
        "restartCount": 0,
        "resources": {"requests": {"cpu": "500m"}},
        "allocatedResources": {"cpu": "300m"},
    }
    (await api.patch(f"{pods}/a/status", {"status": {"containerStatuses": [seen]}})).ok()
    await quotas.limit({"requests.cpu": "2"})

    def sized(cpu: str) -> Object:
        return {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": cpu}}}]}}

    (await api.patch(f"{pods}/a/resize", sized("400m"), STRATEGIC)).ok()
    assert await quotas.used() == {"requests.cpu": "0"}
    (await api.patch(f"{pods}/a/resize", sized("700m"), STRATEGIC)).ok()

    assert await quotas.used() == {"requests.cpu": "200m"}


async def test_the_overhead_of_a_pod_is_counted(api: Api, quotas: Quotas, pods: str, namespace: str) -> None:
    runtimes = "/apis/node.k8s.io/v1/runtimeclasses"
    heavy = {"metadata": {"name": namespace}, "handler": "x", "overhead": {"podFixed": {"cpu": "250m"}}}
    (await api.create(runtimes, heavy)).ok()
    await quotas.limit({"requests.cpu": "2", "limits.cpu": "2"})
    main = container(requests={"cpu": "500m"}, limits={"cpu": "1"})

    (await api.create(pods, pod("a", containers=[main], runtimeClassName=namespace))).ok()

    assert await quotas.used() == {"requests.cpu": "750m", "limits.cpu": "1250m"}
    (await api.delete(f"{runtimes}/{namespace}")).ok()

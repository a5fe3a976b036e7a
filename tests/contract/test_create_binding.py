"""create: binding a pod to a node."""

from contract import Api, Object, pod


def binding(name: str, node: str) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Binding",
        "metadata": {"name": name},
        "target": {"apiVersion": "v1", "kind": "Node", "name": node},
    }


async def test_a_binding_sets_the_node_and_the_scheduled_condition(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    reply = await api.create(f"{pods}/a/binding", binding("a", "node-1"))

    bound = (await api.get(f"{pods}/a")).ok()
    assert (reply.status, reply.body["status"]) == (201, "Success")
    assert bound["spec"]["nodeName"] == "node-1"
    assert [(item["type"], item["status"]) for item in bound["status"]["conditions"]] == [
        ("PodScheduled", "True")
    ]


async def test_a_binding_leaves_the_generation(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    (await api.create(f"{pods}/a/binding", binding("a", "node-1"))).ok()

    assert (await api.get(f"{pods}/a")).ok()["metadata"]["generation"] == 1


async def test_a_bound_pod_cannot_be_bound_again(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()
    (await api.create(f"{pods}/a/binding", binding("a", "node-1"))).ok()

    refused = (await api.create(f"{pods}/a/binding", binding("a", "node-1"))).refused(409, "Conflict")

    assert refused["message"] == (
        'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "node-1"'
    )


async def test_a_binding_may_be_sent_to_the_collection(api: Api, namespace: str, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    (await api.create(f"/api/v1/namespaces/{namespace}/bindings", binding("a", "node-1"))).ok()

    assert (await api.get(f"{pods}/a")).ok()["spec"]["nodeName"] == "node-1"


async def test_a_gated_pod_cannot_be_bound(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a", schedulingGates=[{"name": "example.com/gate"}]))).ok()

    refused = (await api.create(f"{pods}/a/binding", binding("a", "node-1"))).refused(409, "Conflict")

    assert refused["message"].endswith("pod a has non-empty .spec.schedulingGates")


async def test_a_missing_pod_cannot_be_bound(api: Api, pods: str) -> None:
    refused = (await api.create(f"{pods}/a/binding", binding("a", "node-1"))).refused(404, "NotFound")

    assert refused["message"] == 'pods "a" not found'

"""create: binding a pod to a node."""

import pytest

from contract import Api, Object, pod
from contract_objects import with_metadata


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


async def test_a_binding_brings_labels_and_annotations(api: Api, pods: str) -> None:
    (await api.create(pods, with_metadata(pod("a"), labels={"a": "1", "b": "1"}))).ok()
    body = with_metadata(binding("a", "node-1"), labels={"b": "2", "c": "2"}, annotations={"d": "3"})

    (await api.create(f"{pods}/a/binding", body)).ok()

    metadata = (await api.get(f"{pods}/a")).ok()["metadata"]
    assert metadata["labels"] == {"a": "1", "b": "2", "c": "2"}
    assert metadata["annotations"] == {"d": "3"}


async def test_a_binding_is_nobodys_field(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a"))).ok()

    (await api.create(f"{pods}/a/binding", binding("a", "node-1"))).ok()

    bound = (await api.get(f"{pods}/a")).ok()
    assert bound["metadata"]["managedFields"] == created["metadata"]["managedFields"]


async def test_a_pod_inherits_where_its_node_is(api: Api, namespace: str, pods: str) -> None:
    node = f"node-{namespace}"
    zone = {"topology.kubernetes.io/zone": "z", "topology.kubernetes.io/region": "r"}
    (await api.create("/api/v1/nodes", {"metadata": {"name": node, "labels": {**zone, "other": "o"}}})).ok()
    (await api.create(pods, pod("a"))).ok()

    (await api.create(f"{pods}/a/binding", binding("a", node))).ok()
    bound = await api.get(f"{pods}/a")
    placed = await api.create(pods, with_metadata(pod("b", nodeName=node), labels={"a": "b"}))
    (await api.delete(f"/api/v1/nodes/{node}")).ok()

    assert bound.ok()["metadata"]["labels"] == zone
    assert placed.ok()["metadata"]["labels"] == {"a": "b", **zone}


@pytest.mark.parametrize("field", ["uid", "resourceVersion"])
async def test_a_binding_may_be_meant_for_one_pod_as_it_is(api: Api, pods: str, field: str) -> None:
    created = (await api.create(pods, pod("a"))).ok()
    other = with_metadata(binding("a", "node-1"), **{field: "1"})
    same = with_metadata(binding("a", "node-1"), **{field: created["metadata"][field]})

    refused = (await api.create(f"{pods}/a/binding", other)).refused(409, "Conflict")
    (await api.create(f"{pods}/a/binding", same)).ok()

    what = "UID" if field == "uid" else "ResourceVersion"
    assert f"Precondition failed: {what} in precondition: 1, {what} in object meta:" in refused["message"]


@pytest.mark.parametrize(
    ("target", "complaint"),
    [
        pytest.param({}, "target.name: Required value", id="absent"),
        pytest.param(
            {"kind": "Pod"},
            (
                '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", '
                "target.name: Required value]"
            ),
            id="pod",
        ),
    ],
)
async def test_a_binding_without_a_node_fails(api: Api, pods: str, target: Object, complaint: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    reply = await api.create(f"{pods}/a/binding", {**binding("a", ""), "target": target})

    assert (reply.status, reply.body["message"]) == (500, complaint)


async def test_a_binding_carries_the_name_of_the_path(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    refused = (await api.create(f"{pods}/a/binding", binding("b", "node-1"))).refused(400, "BadRequest")

    assert refused["message"] == "name in URL does not match name in Binding object"


async def test_a_binding_in_the_collection_needs_a_name(api: Api, namespace: str) -> None:
    body = {**binding("", "node-1"), "metadata": {}}

    refused = (await api.create(f"/api/v1/namespaces/{namespace}/bindings", body)).refused(400, "BadRequest")

    assert refused["message"] == "Name parameter required."


async def test_a_dry_binding_leaves_the_pod(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a"))).ok()

    (await api.create(f"{pods}/a/binding", binding("a", "node-1"), dryRun="All")).ok()

    assert (await api.get(f"{pods}/a")).ok() == created


async def test_a_pod_that_is_being_deleted_cannot_be_bound(api: Api, pods: str) -> None:
    (await api.create(pods, with_metadata(pod("a"), finalizers=["example.com/a"]))).ok()
    (await api.delete(f"{pods}/a")).ok()

    refused = (await api.create(f"{pods}/a/binding", binding("a", "node-1"))).refused(409, "Conflict")
    (await api.patch(f"{pods}/a", {"metadata": {"finalizers": None}})).ok()

    assert refused["message"].endswith("pod a is being deleted, cannot be assigned to a host")


async def test_a_binding_in_the_collection_is_meant_for_any_pod_of_the_name(
    api: Api, namespace: str, pods: str
) -> None:
    (await api.create(pods, pod("a"))).ok()
    other = with_metadata(binding("a", "node-1"), uid="1")

    (await api.create(f"/api/v1/namespaces/{namespace}/bindings", other)).ok()

    assert (await api.get(f"{pods}/a")).ok()["spec"]["nodeName"] == "node-1"

"""strategic merge patch: lists merged by key, in order, and lists that are not."""

from typing import Any

import pytest

from contract import STRATEGIC, Api, Object, deployment
from contract_writes import IMAGE, container, in_template, names, pod_spec, resource, version


@pytest.fixture
async def path(api: Api, deployments: str) -> str:
    """The path of a Deployment with two containers, variables, ports, a volume, a toleration, finalizers."""
    body = deployment("a", finalizers=["example.com/a", "example.com/b"])
    pod_spec(body).update(
        containers=[
            container(
                "one",
                args=["1", "2"],
                env=[{"name": "A", "value": "1"}, {"name": "B", "value": "2"}],
                ports=[{"containerPort": 80, "name": "http"}, {"containerPort": 81}],
            ),
            container("two"),
        ],
        tolerations=[{"key": "a"}],
    )
    (await api.create(deployments, body)).ok()
    return f"{deployments}/a"


@pytest.fixture
def services(namespace: str) -> str:
    """The path of the Services in this test's namespace."""
    return f"/api/v1/namespaces/{namespace}/services"


async def patched(api: Api, path: str, body: Object, **query: Any) -> Object:
    return (await api.patch(path, body, STRATEGIC, **query)).ok()


async def test_containers_are_merged_by_name(api: Api, path: str) -> None:
    patch = in_template(containers=[{"name": "two", "image": "example.com/two"}, container("three")])

    containers = pod_spec(await patched(api, path, patch))["containers"]

    assert [(found["name"], found["image"]) for found in containers] == [
        ("one", IMAGE),
        ("two", "example.com/two"),
        ("three", IMAGE),
    ]


async def test_variables_are_merged_by_name_inside_their_container(api: Api, path: str) -> None:
    variables = [{"name": "B", "value": "9"}, {"name": "C", "value": "3"}]

    body = await patched(api, path, in_template(containers=[{"name": "one", "env": variables}]))

    assert pod_spec(body)["containers"][0]["env"] == [{"name": "A", "value": "1"}, *variables]


async def test_a_new_item_stands_where_the_patch_has_it(api: Api, path: str) -> None:
    variables = [{"name": "Z", "value": "9"}, {"name": "A", "value": "8"}]

    body = await patched(api, path, in_template(containers=[{"name": "one", "env": variables}]))

    assert pod_spec(body)["containers"][0]["env"] == [*variables, {"name": "B", "value": "2"}]


async def test_a_new_item_alone_comes_first(api: Api, path: str) -> None:
    body = await patched(api, path, in_template(containers=[container("three")]))

    assert names(pod_spec(body)["containers"]) == ["three", "one", "two"]


async def test_ports_of_a_container_are_merged_by_number_alone(api: Api, path: str) -> None:
    ports = [{"containerPort": 80, "protocol": "UDP", "name": "udp"}, {"containerPort": 82}]

    body = await patched(api, path, in_template(containers=[{"name": "one", "ports": ports}]))

    found = pod_spec(body)["containers"][0]["ports"]
    assert sorted((port["containerPort"], port["protocol"], port.get("name")) for port in found) == [
        (80, "UDP", "udp"),
        (81, "TCP", None),
        (82, "TCP", None),
    ]


async def test_ports_of_a_service_are_merged_by_number_alone(api: Api, services: str) -> None:
    ports = [{"port": 80, "name": "tcp"}, {"port": 80, "name": "udp", "protocol": "UDP"}]
    (await api.create(services, resource("v1", "Service", spec={"ports": ports}))).ok()

    body = await patched(api, f"{services}/a", {"spec": {"ports": [{"port": 80, "name": "renamed"}]}})

    assert names(body["spec"]["ports"]) == ["renamed", "udp"]


async def test_owner_references_are_merged_by_uid(api: Api, services: str) -> None:
    first, second = ({"apiVersion": "v1", "kind": "Pod", "name": uid, "uid": uid} for uid in ("1", "2"))
    body = resource("v1", "Service", spec={"ports": [{"port": 80}]})
    body["metadata"]["ownerReferences"] = [first]
    (await api.create(services, body)).ok()

    after = await patched(api, f"{services}/a", {"metadata": {"ownerReferences": [second]}})

    assert after["metadata"]["ownerReferences"] == [second, first]


async def test_conditions_are_merged_by_type(api: Api, path: str) -> None:
    for kind, status in (("A", "True"), ("B", "True"), ("A", "False")):
        patch = {"status": {"conditions": [{"type": kind, "status": status}]}}
        await patched(api, f"{path}/status", patch)

    conditions = (await api.get(path)).ok()["status"]["conditions"]
    found = {condition["type"]: condition["status"] for condition in conditions}
    assert found == {"A": "False", "B": "True"}


async def test_maps_are_merged(api: Api, services: str) -> None:
    spec = {"ports": [{"port": 80}], "selector": {"a": "1"}}
    (await api.create(services, resource("v1", "Service", spec=spec))).ok()

    body = await patched(api, f"{services}/a", {"spec": {"selector": {"b": "2"}}})

    assert body["spec"]["selector"] == {"a": "1", "b": "2"}


async def test_finalizers_are_a_set(api: Api, path: str) -> None:
    body = await patched(api, path, {"metadata": {"finalizers": ["example.com/c", "example.com/a"]}})

    assert body["metadata"]["finalizers"] == ["example.com/c", "example.com/a", "example.com/b"]


async def test_lists_without_a_key_are_replaced(api: Api, path: str) -> None:
    patch = in_template(containers=[{"name": "one", "args": ["3"]}], tolerations=[{"key": "b"}])

    spec = pod_spec(await patched(api, path, patch))

    assert spec["containers"][0]["args"] == ["3"]
    assert spec["tolerations"] == [{"key": "b"}]


async def test_null_removes_a_field_and_its_default_returns(api: Api, path: str) -> None:
    before = await patched(api, path, {"spec": {"replicas": 3, "minReadySeconds": 5}})
    assert (before["spec"]["replicas"], before["spec"]["minReadySeconds"]) == (3, 5)

    body = await patched(api, path, {"spec": {"replicas": None, "minReadySeconds": None}})

    assert body["spec"]["replicas"] == 1
    assert "minReadySeconds" not in body["spec"]


async def test_null_inside_an_item_lets_its_value_change_form(api: Api, path: str) -> None:
    source = {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}
    variable = {"name": "A", "value": None, "valueFrom": source}

    body = await patched(api, path, in_template(containers=[{"name": "one", "env": [variable]}]))

    assert pod_spec(body)["containers"][0]["env"][0] == {"name": "A", "valueFrom": source}


async def test_an_item_merged_into_two_forms_at_once_is_invalid(api: Api, path: str) -> None:
    variable = {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}

    reply = await api.patch(path, in_template(containers=[{"name": "one", "env": [variable]}]), STRATEGIC)

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.template.spec.containers[0].env[0].valueFrom"]


@pytest.mark.parametrize(
    "patch",
    [
        {},
        in_template(containers=[{"name": "one", "image": IMAGE}]),
        in_template(containers=[{"name": "absent", "$patch": "delete"}]),
        in_template(securityContext=None, nodeSelector={"absent": None}),
        {"metadata": {"finalizers": ["example.com/a"]}},
    ],
    ids=str,
)
async def test_a_patch_that_changes_nothing_keeps_the_resource_version(
    api: Api, path: str, patch: Object
) -> None:
    before = (await api.get(path)).ok()

    assert await patched(api, path, patch, fieldManager="somebody-else") == before


async def test_a_resource_version_in_the_patch_is_a_precondition(api: Api, path: str) -> None:
    stale = version((await api.get(path)).ok())
    await patched(api, path, {"spec": {"replicas": 2}})

    reply = await api.patch(
        path, {"metadata": {"resourceVersion": stale}, "spec": {"replicas": 3}}, STRATEGIC
    )

    assert reply.refused(409, "Conflict")["details"] == {"name": "a", "group": "apps", "kind": "deployments"}


async def test_an_unknown_field_is_dropped_with_a_warning(api: Api, path: str) -> None:
    reply = await api.patch(path, {"spec": {"unknown": 1}}, STRATEGIC)

    assert "unknown" not in reply.ok()["spec"]
    assert reply.warnings == ('299 - "unknown field \\"spec.unknown\\""',)


async def test_strict_validation_refuses_an_unknown_field(api: Api, path: str) -> None:
    reply = await api.patch(path, {"spec": {"unknown": 1}}, STRATEGIC, fieldValidation="Strict")

    refused = reply.refused(422, "Invalid")
    assert refused["message"].endswith('strict decoding error: unknown field "spec.unknown"')
    assert reply.fields == ["patch"]


@pytest.mark.parametrize("patch", [{"spec": {"replicas": "many"}}, in_template(containers={})], ids=str)
async def test_a_result_of_the_wrong_type_is_invalid(api: Api, path: str, patch: Object) -> None:
    reply = await api.patch(path, patch, STRATEGIC)

    reply.refused(422, "Invalid")
    assert reply.fields == ["patch"]


async def test_a_list_instead_of_an_object_is_a_bad_request(api: Api, path: str) -> None:
    (await api.patch(path, [], STRATEGIC)).refused(400, "BadRequest")

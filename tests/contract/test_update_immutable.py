"""update: what cannot be changed any more."""

import pytest

from contract import Api, config_map, deployment, pod
from contract_objects import role_binding, secret, service, version_of

FROZEN = "Forbidden: field is immutable when `immutable` is set"


@pytest.fixture
def secrets(namespace: str) -> str:
    return f"/api/v1/namespaces/{namespace}/secrets"


async def test_the_selector_of_a_deployment_is_immutable(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()
    both = {"app": "a", "tier": "web"}

    reply = await api.patch(
        f"{deployments}/a",
        {"spec": {"selector": {"matchLabels": both}, "template": {"metadata": {"labels": both}}}},
    )

    assert reply.refused(422, "Invalid")["message"] == (
        'Deployment.apps "a" is invalid: spec.selector: Invalid value: '
        '{"matchLabels":{"app":"a","tier":"web"}}: field is immutable'
    )
    assert reply.fields == ["spec.selector"]


async def test_a_pod_keeps_all_but_a_few_fields_of_its_spec(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a"))).ok()

    reply = await api.patch(f"{pods}/a", {"spec": {"nodeName": "node-1"}})

    refused = reply.refused(422, "Invalid")
    assert refused["message"].startswith(
        'Pod "a" is invalid: spec: Forbidden: pod updates may not change fields other than '
        "`spec.containers[*].image`"
    )
    assert reply.fields == ["spec"]
    assert (await api.get(f"{pods}/a")).ok() == created


async def test_a_pod_may_change_its_images_deadline_and_add_tolerations(api: Api, pods: str) -> None:
    body = (await api.create(pods, pod("a"))).ok()
    body["spec"]["containers"][0]["image"] = "example.com/app:2"
    body["spec"]["activeDeadlineSeconds"] = 60
    body["spec"]["tolerations"].append({"key": "example.com/taint", "operator": "Exists"})

    updated = (await api.update(f"{pods}/a", body)).ok()

    assert updated["spec"] == body["spec"]


async def test_a_pod_may_not_lose_a_toleration(api: Api, pods: str) -> None:
    toleration = {"key": "example.com/taint", "operator": "Exists"}
    body = (await api.create(pods, pod("a", tolerations=[toleration]))).ok()
    body["spec"]["tolerations"].remove(toleration)

    reply = await api.update(f"{pods}/a", body)

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.tolerations"]


async def test_a_pod_gets_the_default_tolerations_back(api: Api, pods: str) -> None:
    created = await api.create(pods, pod("a"))

    updated = await api.patch(f"{pods}/a", {"spec": {"tolerations": None}})

    assert version_of(updated) == version_of(created)


async def test_the_cluster_ip_of_a_service_may_not_change(api: Api, namespace: str) -> None:
    services = f"/api/v1/namespaces/{namespace}/services"
    (await api.create(services, service("a"))).ok()

    reply = await api.patch(f"{services}/a", {"spec": {"clusterIP": "None"}})

    assert reply.refused(422, "Invalid")["message"] == (
        'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set'
    )


async def test_the_type_of_a_secret_is_immutable(api: Api, secrets: str) -> None:
    (await api.create(secrets, secret("a"))).ok()

    reply = await api.patch(f"{secrets}/a", {"type": "example.com/other"})

    assert reply.refused(422, "Invalid")["message"] == (
        'Secret "a" is invalid: type: Invalid value: "example.com/other": field is immutable'
    )


async def test_the_role_of_a_binding_is_immutable(api: Api, namespace: str) -> None:
    bindings = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings"
    (await api.create(bindings, role_binding("a", "reader"))).ok()

    reply = await api.patch(f"{bindings}/a", {"roleRef": {"name": "writer"}})

    assert reply.refused(422, "Invalid")["message"].endswith(": cannot change roleRef")
    assert reply.fields == ["roleRef"]


async def test_an_immutable_config_map_keeps_its_data(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, {**config_map("a", {"key": "x"}), "immutable": True})).ok()

    reply = await api.patch(f"{config_maps}/a", {"data": {"key": "y"}})

    assert reply.refused(422, "Invalid")["message"] == f'ConfigMap "a" is invalid: data: {FROZEN}'
    assert reply.fields == ["data"]


@pytest.mark.parametrize("immutable", [False, None])
async def test_an_immutable_config_map_stays_immutable(api: Api, config_maps: str, immutable: object) -> None:
    (await api.create(config_maps, {**config_map("a"), "immutable": True})).ok()

    reply = await api.patch(f"{config_maps}/a", {"immutable": immutable})

    assert reply.refused(422, "Invalid")["message"] == f'ConfigMap "a" is invalid: immutable: {FROZEN}'


async def test_an_immutable_config_map_may_change_its_labels_and_be_deleted(
    api: Api, config_maps: str
) -> None:
    (await api.create(config_maps, {**config_map("a"), "immutable": True})).ok()

    labelled = await api.patch(f"{config_maps}/a", {"metadata": {"labels": {"a": "b"}}})
    deleted = await api.delete(f"{config_maps}/a")

    assert labelled.ok()["metadata"]["labels"] == {"a": "b"}
    assert deleted.status == 200


async def test_a_config_map_may_become_immutable_with_its_last_change(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", {"key": "x"}))).ok()

    updated = (await api.patch(f"{config_maps}/a", {"data": {"key": "y"}, "immutable": True})).ok()

    assert (updated["data"], updated["immutable"]) == ({"key": "y"}, True)


async def test_an_immutable_secret_accepts_string_data_that_says_the_same(api: Api, secrets: str) -> None:
    created = await api.create(secrets, {**secret("a", stringData={"key": "x"}), "immutable": True})

    same = await api.patch(f"{secrets}/a", {"stringData": {"key": "x"}})
    other = await api.patch(f"{secrets}/a", {"stringData": {"key": "y"}})

    assert version_of(same) == version_of(created)
    assert other.refused(422, "Invalid")["message"] == f'Secret "a" is invalid: data: {FROZEN}'


async def test_an_address_stays_with_its_parent(api: Api) -> None:
    addresses = "/apis/networking.k8s.io/v1/ipaddresses"
    parent = {"resource": "services", "namespace": "b", "name": "c"}
    (await api.create(addresses, {"metadata": {"name": "203.0.113.7"}, "spec": {"parentRef": parent}})).ok()
    path = f"{addresses}/203.0.113.7"

    refused = await api.patch(path, {"spec": {"parentRef": {"name": "d"}}})
    labelled = await api.patch(path, {"metadata": {"labels": {"a": "b"}}})

    (await api.delete(path)).ok()
    assert refused.refused(422, "Invalid")["details"]["causes"][0]["field"] == "spec.parentRef"
    assert "field is immutable" in refused.body["message"]
    assert labelled.ok()["spec"] == {"parentRef": parent}

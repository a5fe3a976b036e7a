"""apply: conflicts between managers, and force."""

import pytest

from contract import Api, config_map, deployment
from contract_writes import assert_conflicts, container, in_template, owned, pod_spec, resource


@pytest.fixture
def path(config_maps: str) -> str:
    """The path of a ConfigMap that need not exist."""
    return f"{config_maps}/a"


async def test_another_value_for_an_owned_field_is_a_conflict(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"key": "1"}), "first")).ok()

    reply = await api.apply(path, config_map("a", {"key": "2"}), "second")

    assert reply.refused(409, "Conflict")["details"] == {
        "causes": [
            {"reason": "FieldManagerConflict", "message": 'conflict with "first"', "field": ".data.key"}
        ]
    }
    assert reply.body["message"] == 'Apply failed with 1 conflict: conflict with "first": .data.key'
    assert (await api.get(path)).ok()["data"] == {"key": "1"}


async def test_several_conflicts_are_listed_by_manager_and_field(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"one": "1", "two": "1"}), "first")).ok()
    (await api.apply(path, config_map("a", {"one": "1"}), "second")).ok()

    reply = await api.apply(path, config_map("a", {"one": "2", "two": "2"}), "third")

    assert_conflicts(reply, ('"first"', ".data.one"), ('"first"', ".data.two"), ('"second"', ".data.one"))
    assert reply.body["message"] == (
        "Apply failed with 3 conflicts: "
        'conflicts with "first":\n- .data.one\n- .data.two\nconflicts with "second":\n- .data.one'
    )


async def test_force_takes_the_field_from_all_its_owners(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"one": "1", "two": "1"}), "first")).ok()
    (await api.apply(path, config_map("a", {"one": "1"}), "second")).ok()

    body = (await api.apply(path, config_map("a", {"one": "2"}), "third", force=True)).ok()

    assert body["data"] == {"one": "2", "two": "1"}
    assert owned(body, "first") == {"f:data": {"f:two": {}}}
    assert owned(body, "second") is None
    assert owned(body, "third") == {"f:data": {"f:one": {}}}


async def test_the_same_value_is_shared(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"key": "1"}), "first")).ok()

    body = (await api.apply(path, config_map("a", {"key": "1"}), "second")).ok()

    assert owned(body, "first") == owned(body, "second") == {"f:data": {"f:key": {}}}


async def test_a_shared_field_cannot_be_changed_by_one_of_its_owners(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"key": "1"}), "first")).ok()
    (await api.apply(path, config_map("a", {"key": "1"}), "second")).ok()

    reply = await api.apply(path, config_map("a", {"key": "2"}), "first")

    assert_conflicts(reply, ('"second"', ".data.key"))


async def test_a_conflict_with_an_update_names_the_version_used(
    api: Api, config_maps: str, path: str
) -> None:
    (await api.create(config_maps, config_map("a", {"key": "1"}), fieldManager="creator")).ok()

    reply = await api.apply(path, config_map("a", {"key": "2"}))

    assert_conflicts(reply, ('"creator" using v1', ".data.key"))


async def test_an_update_takes_fields_without_asking(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", labels={"app": "1"}), "applier")).ok()

    body = (await api.patch(path, {"metadata": {"labels": {"app": "2"}}}, fieldManager="editor")).ok()

    assert owned(body, "applier") is None
    assert owned(body, "editor", "Update") == {"f:metadata": {"f:labels": {"f:app": {}}}}
    reply = await api.apply(path, config_map("a", labels={"app": "1"}), "applier")
    assert_conflicts(reply, ('"editor" using v1', ".metadata.labels.app"))


async def test_an_update_that_removes_a_field_leaves_it_to_nobody(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", labels={"app": "1"}), "applier")).ok()

    body = (await api.patch(path, {"metadata": {"labels": {"app": None}}}, fieldManager="editor")).ok()

    assert "managedFields" not in body["metadata"]
    again = (await api.apply(path, config_map("a", labels={"app": "1"}), "applier")).ok()
    assert again["metadata"]["labels"] == {"app": "1"}


async def test_a_managers_updates_conflict_with_its_own_applies(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"key": "1"}), "both")).ok()
    (await api.patch(path, {"data": {"key": "2"}}, fieldManager="both")).ok()

    reply = await api.apply(path, config_map("a", {"key": "3"}), "both")

    assert_conflicts(reply, ('"both" using v1', ".data.key"))


async def test_a_default_that_came_with_an_update_is_owned_by_it(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"), fieldManager="creator")).ok()

    reply = await api.apply(
        f"{deployments}/a", resource("apps/v1", "Deployment", spec={"revisionHistoryLimit": 3})
    )

    assert_conflicts(reply, ('"creator" using apps/v1', ".spec.revisionHistoryLimit"))


async def test_a_default_that_came_with_an_apply_is_owned_by_nobody(api: Api, deployments: str) -> None:
    (await api.apply(f"{deployments}/a", deployment("a"), "first")).ok()

    reply = await api.apply(
        f"{deployments}/a", resource("apps/v1", "Deployment", spec={"revisionHistoryLimit": 3}), "second"
    )

    assert reply.ok()["spec"]["revisionHistoryLimit"] == 3
    assert owned(reply.body, "second") == {"f:spec": {"f:revisionHistoryLimit": {}}}


async def test_a_conflict_in_an_item_names_its_key(api: Api, deployments: str) -> None:
    body = deployment("a")
    pod_spec(body)["containers"] = [container(env=[{"name": "A", "value": "1"}])]
    (await api.apply(f"{deployments}/a", body, "first")).ok()

    changed = in_template(containers=[{"name": "main", "env": [{"name": "A", "value": "2"}]}])
    reply = await api.apply(f"{deployments}/a", resource("apps/v1", "Deployment", **changed), "second")

    assert_conflicts(reply, ('"first"', '.spec.template.spec.containers[name="main"].env[name="A"].value'))


async def test_a_conflict_in_a_port_names_both_parts_of_its_key(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/services/a"
    tcp = {"port": 80, "name": "tcp", "targetPort": 1}
    udp = {"port": 80, "name": "udp", "protocol": "UDP"}
    (await api.apply(path, resource("v1", "Service", spec={"ports": [tcp, udp]}), "first")).ok()

    ports = [{"port": 80, "protocol": "TCP", "targetPort": 2}]
    reply = await api.apply(path, resource("v1", "Service", spec={"ports": ports}), "second")

    assert_conflicts(reply, ('"first"', '.spec.ports[port=80,protocol="TCP"].targetPort'))


async def test_a_quantity_is_compared_as_it_is_written(api: Api, deployments: str) -> None:
    body = deployment("a")
    pod_spec(body)["containers"] = [container(resources={"limits": {"cpu": "1000m"}})]
    first = (await api.apply(f"{deployments}/a", body, "first")).ok()
    assert (await api.apply(f"{deployments}/a", body, "first")).ok() == first

    for cpu, status in (("1", 200), ("1000m", 409)):
        piece = in_template(containers=[{"name": "main", "resources": {"limits": {"cpu": cpu}}}])
        reply = await api.apply(f"{deployments}/a", resource("apps/v1", "Deployment", **piece), "second")
        assert reply.status == status


async def test_a_conflict_is_found_in_a_dry_run_too(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"key": "1"}), "first")).ok()

    reply = await api.apply(path, config_map("a", {"key": "2"}), "second", dryRun="All")

    assert_conflicts(reply, ('"first"', ".data.key"))


async def test_conflicts_are_found_across_versions_of_a_kind(api: Api, namespace: str) -> None:
    v1, v2 = (
        f"/apis/autoscaling/{version}/namespaces/{namespace}/horizontalpodautoscalers"
        for version in ("v1", "v2")
    )
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"}
    spec = {"scaleTargetRef": target, "maxReplicas": 3}
    body = resource("autoscaling/v1", "HorizontalPodAutoscaler", spec=spec)
    (await api.create(v1, body, fieldManager="creator")).ok()

    body = resource("autoscaling/v2", "HorizontalPodAutoscaler", spec={"maxReplicas": 9})
    reply = await api.apply(f"{v2}/a", body)

    assert_conflicts(reply, ('"creator" using autoscaling/v1', ".spec.maxReplicas"))

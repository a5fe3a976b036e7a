"""scale: the same for every workload that has one."""

from typing import Any

import pytest

from contract import JSON_PATCH, MERGE, STRATEGIC, Api, Object
from contract_objects import generation_of, version_of
from contract_writes import collection, matching, owned, pod_template, resource

LABELS = {"app": "a"}
WORKLOADS = [
    resource("apps/v1", "Deployment", spec={"selector": matching(), "template": pod_template()}),
    resource("apps/v1", "ReplicaSet", spec={"selector": matching(), "template": pod_template()}),
    resource(
        "apps/v1",
        "StatefulSet",
        spec={"serviceName": "a", "selector": matching(), "template": pod_template()},
    ),
    resource("v1", "ReplicationController", spec={"selector": LABELS, "template": pod_template()}),
]

pytestmark = pytest.mark.parametrize("workload", WORKLOADS, ids=[each["kind"] for each in WORKLOADS])


@pytest.fixture
async def path(api: Api, namespace: str, workload: Object) -> str:
    """The path of a workload with one replica, which `creator` made."""
    where = collection(namespace, workload)
    (await api.create(where, workload, fieldManager="creator")).ok()
    return f"{where}/a"


def scale(replicas: int) -> Object:
    return resource("autoscaling/v1", "Scale", spec={"replicas": replicas})


async def test_the_scale_of_a_workload_is_read(api: Api, path: str) -> None:
    found = (await api.get(f"{path}/scale")).ok()

    assert (found["apiVersion"], found["kind"]) == ("autoscaling/v1", "Scale")
    assert found["spec"] == {"replicas": 1}
    assert found["status"] == {"replicas": 0, "selector": "app=a"}


@pytest.mark.parametrize(
    ("form", "patch"),
    [
        (MERGE, {"spec": {"replicas": 3}}),
        (STRATEGIC, {"spec": {"replicas": 3}}),
        (JSON_PATCH, [{"op": "replace", "path": "/spec/replicas", "value": 3}]),
    ],
    ids=["merge", "strategic", "json"],
)
async def test_a_workload_is_scaled_by_any_patch(api: Api, path: str, form: str, patch: Any) -> None:
    scaled = await api.patch(f"{path}/scale", patch, form)

    workload = await api.get(path)
    assert (scaled.ok()["spec"], workload.ok()["spec"]["replicas"]) == ({"replicas": 3}, 3)
    assert generation_of(workload) == 2
    assert version_of(scaled) == version_of(workload)


async def test_a_scaler_takes_the_replicas_from_the_creator(api: Api, path: str, workload: Object) -> None:
    (await api.update(f"{path}/scale", scale(3), fieldManager="scaler")).ok()

    body = (await api.get(path)).ok()

    creators = owned(body, "creator", "Update")
    assert owned(body, "scaler", "Update", "scale") == {"f:spec": {"f:replicas": {}}}
    assert creators is not None
    assert "f:replicas" not in creators["f:spec"]
    entry = next(each for each in body["metadata"]["managedFields"] if each["manager"] == "scaler")
    assert entry["apiVersion"] == workload["apiVersion"]


async def test_a_scale_that_changes_nothing_splits_the_entry_of_the_creator(api: Api, path: str) -> None:
    before = await api.get(path)

    (await api.update(f"{path}/scale", scale(1), fieldManager="scaler")).ok()

    after = await api.get(path)
    entries = [each for each in after.ok()["metadata"]["managedFields"] if each["manager"] == "creator"]
    assert [("time" in each, list(each["fieldsV1"]["f:spec"]) == ["f:replicas"]) for each in entries] == [
        (False, True),
        (True, False),
    ]
    assert (version_of(after), generation_of(after)) != (version_of(before), 1)
    assert generation_of(after) == 1


async def test_who_applied_the_replicas_must_be_overruled(api: Api, path: str, workload: Object) -> None:
    kind = resource(workload["apiVersion"], workload["kind"], spec={"replicas": 2})
    (await api.apply(path, kind, "owner", force=True)).ok()

    refused = (await api.apply(f"{path}/scale", scale(5), "scaler")).refused(409, "Conflict")
    forced = await api.apply(f"{path}/scale", scale(5), "scaler", force=True)

    assert refused["message"] == 'Apply failed with 1 conflict: conflict with "owner": .spec.replicas'
    assert forced.ok()["spec"] == {"replicas": 5}
    body = (await api.get(path)).ok()
    assert owned(body, "scaler", "Apply", "scale") == {"f:spec": {"f:replicas": {}}}
    assert owned(body, "owner") is None


async def test_an_applier_that_gives_the_replicas_up_leaves_none(api: Api, path: str) -> None:
    (await api.apply(f"{path}/scale", scale(5), "scaler", force=True)).ok()

    given_up = (await api.apply(f"{path}/scale", resource("autoscaling/v1", "Scale"), "scaler")).ok()

    assert given_up["spec"] == {}
    assert (await api.get(path)).ok()["spec"]["replicas"] == 0


async def test_a_patch_for_another_uid_is_a_conflict_of_the_scale(api: Api, path: str) -> None:
    reply = await api.patch(f"{path}/scale", {"metadata": {"uid": "other"}})

    plural = path.split("/")[-2]
    assert reply.refused(409, "Conflict")["details"]["kind"] == f"{plural}/scale"
    assert "Precondition failed: UID in precondition: other" in reply.body["message"]


async def test_the_scale_is_shown_as_a_table(api: Api, path: str) -> None:
    table = await api.get(f"{path}/scale", accept="application/json;as=Table;v=v1;g=meta.k8s.io")

    (row,) = table.ok()["rows"]
    assert [each["name"] for each in table.body["columnDefinitions"]] == [
        "Name",
        "Desired",
        "Available",
        "Age",
    ]
    assert row["cells"][:3] == ["a", 1, 0]

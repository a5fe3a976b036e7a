"""apply: to the status and to the scale."""

from typing import Any

import pytest

from contract import Api, Object, deployment
from contract_writes import assert_conflicts, managers, owned, resource

READY = {"type": "Ready", "status": "True"}


@pytest.fixture
async def path(api: Api, deployments: str) -> str:
    """The path of a Deployment that `creator` made."""
    (await api.create(deployments, deployment("a"), fieldManager="creator")).ok()
    return f"{deployments}/a"


def part(**fields: Any) -> Object:
    return resource("apps/v1", "Deployment", **fields)


def scale(replicas: int) -> Object:
    return resource("autoscaling/v1", "Scale", spec={"replicas": replicas})


async def test_status_has_an_entry_of_its_own(api: Api, path: str) -> None:
    (await api.apply(path, part(spec={"minReadySeconds": 5}), "both")).ok()

    body = (await api.apply(f"{path}/status", part(status={"observedGeneration": 1}), "both")).ok()

    assert body["status"]["observedGeneration"] == 1
    assert body["spec"]["minReadySeconds"] == 5
    assert owned(body, "both") == {"f:spec": {"f:minReadySeconds": {}}}
    assert owned(body, "both", "Apply", "status") == {"f:status": {"f:observedGeneration": {}}}


async def test_status_takes_and_owns_nothing_but_status(api: Api, path: str) -> None:
    everything = part(spec={"replicas": 9}, status={"conditions": [READY]})
    everything["metadata"]["labels"] = {"app": "x"}

    body = (await api.apply(f"{path}/status", everything)).ok()

    assert body["spec"]["replicas"] == 1
    assert "labels" not in body["metadata"]
    assert body["metadata"]["generation"] == 1
    condition: Object = {".": {}, "f:status": {}, "f:type": {}}
    assert owned(body, "tester", "Apply", "status") == {
        "f:status": {"f:conditions": {'k:{"type":"Ready"}': condition}}
    }


async def test_the_main_resource_takes_and_owns_no_status(api: Api, path: str) -> None:
    body = (await api.apply(path, part(spec={"replicas": 1}, status={"replicas": 9}))).ok()

    assert body["status"] == {}
    assert owned(body, "tester") == {"f:spec": {"f:replicas": {}}}


async def test_a_condition_given_up_is_removed(api: Api, path: str) -> None:
    other = {"type": "Other", "status": "True"}
    (await api.apply(f"{path}/status", part(status={"conditions": [READY]}), "first")).ok()
    (await api.apply(f"{path}/status", part(status={"conditions": [other]}), "second")).ok()

    body = (await api.apply(f"{path}/status", part(), "first")).ok()

    assert [condition["type"] for condition in body["status"]["conditions"]] == ["Other"]
    assert ("first", "Apply", "status") not in managers(body)


async def test_a_conflict_names_the_subresource(api: Api, path: str) -> None:
    patch = {"status": {"conditions": [READY]}}
    (await api.patch(f"{path}/status", patch, fieldManager="updater")).ok()
    (await api.apply(f"{path}/status", part(status={"conditions": [READY]}), "applier")).ok()

    worse = part(status={"conditions": [{"type": "Ready", "status": "False"}]})
    reply = await api.apply(f"{path}/status", worse)

    field = '.status.conditions[type="Ready"].status'
    assert_conflicts(
        reply,
        ('"applier" with subresource "status"', field),
        ('"updater" with subresource "status" using apps/v1', field),
    )


async def test_apply_to_the_status_of_an_absent_object_creates_nothing(api: Api, deployments: str) -> None:
    reply = await api.apply(f"{deployments}/a/status", part(status={"replicas": 1}))

    assert reply.refused(404, "NotFound")["message"] == 'deployments.apps "a" not found'


async def test_scaling_owns_the_replicas(api: Api, path: str) -> None:
    (await api.patch(f"{path}/scale", {"spec": {"replicas": 5}}, fieldManager="scaler")).ok()

    body = (await api.get(path)).ok()

    assert owned(body, "scaler", "Update", "scale") == {"f:spec": {"f:replicas": {}}}
    creators = owned(body, "creator", "Update")
    assert creators is not None
    assert "f:replicas" not in creators["f:spec"]
    reply = await api.apply(path, part(spec={"replicas": 3}))
    assert_conflicts(reply, ('"scaler" with subresource "scale" using apps/v1', ".spec.replicas"))


async def test_the_entry_of_a_scaler_has_no_time(api: Api, path: str) -> None:
    (await api.patch(f"{path}/scale", {"spec": {"replicas": 5}}, fieldManager="scaler")).ok()

    found = (await api.get(path)).ok()["metadata"]["managedFields"]

    assert [each["manager"] for each in found if "time" not in each] == ["scaler"]


async def test_apply_to_the_scale_owns_the_replicas(api: Api, path: str) -> None:
    reply = await api.apply(f"{path}/scale", scale(5), "scaler")
    assert_conflicts(reply, ('"creator" using autoscaling/v1', ".spec.replicas"))

    forced = (await api.apply(f"{path}/scale", scale(5), "scaler", force=True)).ok()

    assert forced["spec"] == {"replicas": 5}
    body = (await api.get(path)).ok()
    assert body["spec"]["replicas"] == 5
    assert owned(body, "scaler", "Apply", "scale") == {"f:spec": {"f:replicas": {}}}


async def test_the_scale_shows_no_managed_fields(api: Api, path: str) -> None:
    (await api.patch(f"{path}/scale", {"spec": {"replicas": 5}}, fieldManager="scaler")).ok()

    found = (await api.get(f"{path}/scale")).ok()
    assert found["spec"] == {"replicas": 5}
    assert "managedFields" not in found["metadata"]


async def test_only_a_scale_can_be_applied_to_the_scale(api: Api, path: str) -> None:
    refused = (await api.apply(f"{path}/scale", part(spec={"replicas": 3}))).refused(400, "BadRequest")

    assert refused["message"] == "invalid object type: apps/v1, Kind=Deployment"


async def test_apply_to_the_scale_of_an_absent_object_creates_nothing(api: Api, deployments: str) -> None:
    (await api.apply(f"{deployments}/a/scale", scale(1))).refused(404, "NotFound")

"""autoscalers: version 1 keeps in annotations what it has no fields for, and status there is status."""

from typing import Any

import pytest

from contract import Api, Object

CURRENT = "autoscaling.alpha.kubernetes.io/current-metrics"


@pytest.fixture
def autoscalers(namespace: str) -> str:
    """The path of the autoscalers of version 1."""
    return f"/apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers"


def autoscaler(**metadata: Any) -> Object:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
    spec = {"scaleTargetRef": target, "maxReplicas": 3, "targetCPUUtilizationPercentage": 80}
    return {
        "apiVersion": "autoscaling/v1",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "a", **metadata},
        "spec": spec,
    }


async def test_a_status_in_an_annotation_is_not_created(api: Api, autoscalers: str) -> None:
    body = autoscaler(annotations={CURRENT: '[{"type":"Resource","resource":{"name":"cpu"}}]', "b": "1"})

    created = (await api.create(autoscalers, body)).ok()

    assert created["metadata"]["annotations"] == {"b": "1"}
    assert created["status"] == {"currentReplicas": 0, "desiredReplicas": 0}


async def test_a_status_in_an_annotation_is_not_updated(api: Api, autoscalers: str) -> None:
    (await api.create(autoscalers, autoscaler())).ok()
    status = {"currentReplicas": 1, "desiredReplicas": 1, "currentCPUUtilizationPercentage": 50}
    told = (await api.patch(f"{autoscalers}/a/status", {"status": status})).ok()["metadata"]["annotations"]

    body = autoscaler(annotations={CURRENT: "[]", "b": "1"})
    replaced = (await api.update(f"{autoscalers}/a", body)).ok()

    assert replaced["metadata"]["annotations"] == {**told, "b": "1"}
    assert replaced["status"] == status


async def test_a_status_that_is_not_taken_is_yet_owned_by_its_annotation(api: Api, autoscalers: str) -> None:
    (await api.create(autoscalers, autoscaler())).ok()

    patched = (
        await api.patch(
            f"{autoscalers}/a", {"status": {"currentCPUUtilizationPercentage": 50}}, fieldManager="one"
        )
    ).ok()

    (entry,) = (each for each in patched["metadata"]["managedFields"] if each["manager"] == "one")
    assert "annotations" not in patched["metadata"]
    assert entry["fieldsV1"] == {"f:metadata": {"f:annotations": {".": {}, f"f:{CURRENT}": {}}}}


async def test_what_an_apply_leaves_out_of_a_whole_in_one_version_conflicts_as_a_field_in_the_other(
    api: Api, autoscalers: str
) -> None:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
    newer = {
        **autoscaler(),
        "apiVersion": "autoscaling/v2",
        "spec": {"scaleTargetRef": target, "maxReplicas": 3},
    }
    (await api.create(autoscalers.replace("/v1/", "/v2/"), newer)).ok()
    older = autoscaler()
    del older["spec"]["scaleTargetRef"]["kind"]

    refused = (await api.apply(f"{autoscalers}/a", older)).refused(409, "Conflict")

    assert [each["field"] for each in refused["details"]["causes"]] == [".spec.scaleTargetRef.kind"]


async def test_what_a_version_always_has_stays_when_an_apply_in_it_gives_everything_up(
    api: Api, autoscalers: str
) -> None:
    first = autoscaler()
    first["spec"]["minReplicas"] = 2
    (await api.apply(f"{autoscalers}/a", first)).ok()
    body = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "a"}}

    left = (await api.apply(f"{autoscalers.replace('/v1/', '/v2/')}/a", body)).ok()

    assert left["spec"]["minReplicas"] == 1
    assert left["spec"]["maxReplicas"] == 3
    assert left["spec"]["scaleTargetRef"] == first["spec"]["scaleTargetRef"]
    assert "managedFields" not in left["metadata"]


async def test_an_apply_of_a_status_that_is_not_taken_leaves_no_annotations(
    api: Api, autoscalers: str
) -> None:
    (await api.apply(f"{autoscalers}/a", autoscaler())).ok()
    body = autoscaler() | {"status": {"currentCPUUtilizationPercentage": 3}}
    del body["spec"]

    assert "annotations" not in (await api.apply(f"{autoscalers}/a", body, "other")).ok()["metadata"]


async def test_policies_that_an_apply_leaves_out_are_filled_in_whatever_was_applied_before(
    api: Api, autoscalers: str
) -> None:
    (await api.create(autoscalers, autoscaler())).ok()
    labels = {key: value for key, value in autoscaler(labels={"a": "b"}).items() if key != "spec"}
    (await api.apply(f"{autoscalers}/a", labels)).ok()
    body = {**labels, "apiVersion": "autoscaling/v2", "metadata": {"name": "a"}}
    body["spec"] = {"maxReplicas": 3, "behavior": {"scaleUp": {"stabilizationWindowSeconds": 3}}}

    applied = (await api.apply(f"{autoscalers.replace('/v1/', '/v2/')}/a", body)).ok()

    assert [each["type"] for each in applied["spec"]["behavior"]["scaleUp"]["policies"]] == [
        "Pods",
        "Percent",
    ]

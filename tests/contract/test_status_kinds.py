"""status: which metadata comes in through that door, kind by kind."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from contract import Api, Object, deployment, pod
from contract_objects import disruption_budget, with_metadata
from contract_writes import matching, owned, pod_template, resource

SENT = {
    "labels": {"team": "b"},
    "annotations": {"note": "b"},
    "finalizers": ["example.com/b"],
    "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "b", "uid": "b"}],
}
ALL = set(SENT)
WORKLOAD = {"selector": matching(), "template": pod_template()}
CASES: dict[str, tuple[str, Object, Object, set[str]]] = {
    "Deployment": ("apps/v1", deployment("a"), {"replicas": 1}, ALL - {"labels"}),
    "ReplicaSet": (
        "apps/v1",
        resource("apps/v1", "ReplicaSet", spec=WORKLOAD),
        {"replicas": 1},
        ALL,
    ),
    "Pod": ("v1", pod("a"), {"phase": "Running"}, ALL - {"ownerReferences"}),
    "PodDisruptionBudget": ("policy/v1", disruption_budget("a", "a"), {"currentHealthy": 1}, ALL),
}
PLURALS = {kind: f"{kind.lower()}s" for kind in CASES}


@pytest.mark.parametrize("kind", CASES)
async def test_the_status_door_takes_some_metadata(api: Api, namespace: str, kind: str) -> None:
    version, body, status, taken = CASES[kind]
    root = "apis" if "/" in version else "api"
    path = f"/{root}/{version}/namespaces/{namespace}/{PLURALS[kind]}"
    (await api.create(path, body)).ok()

    patch = {"metadata": SENT, "spec": {"nonsense": 1}, "status": status}
    updated = (await api.patch(f"{path}/a/status", patch, fieldManager="writer")).ok()

    assert {name for name in SENT if updated["metadata"].get(name) == SENT[name]} == taken
    writers = owned(updated, "writer", "Update", "status")
    assert writers is not None
    assert set(writers["f:metadata"]) == {f"f:{name}" for name in taken}
    assert set(writers) == {"f:metadata", "f:status"}
    (await api.patch(f"{path}/a", {"metadata": {"finalizers": None}})).ok()


async def test_the_status_door_of_a_cron_job_takes_a_finalizer_of_any_name(api: Api, namespace: str) -> None:
    path = f"/apis/batch/v1/namespaces/{namespace}/cronjobs"
    template = {"spec": {"template": pod_template(restartPolicy="Never")}}
    body = resource("batch/v1", "CronJob", spec={"schedule": "@daily", "jobTemplate": template})
    (await api.create(path, body)).ok()
    patch = {"metadata": {"finalizers": ["held"]}}

    (await api.patch(f"{path}/a", patch)).refused(422, "Invalid")
    (await api.patch(f"{path}/a/status", patch)).ok()

    (await api.patch(f"{path}/a/status", {"metadata": {"finalizers": None}})).ok()


@pytest.fixture
async def attachment(api: Api, namespace: str) -> AsyncIterator[str]:
    """The path of a VolumeAttachment."""
    path = f"/apis/storage.k8s.io/v1/volumeattachments/{namespace}"
    spec: dict[str, Any] = {"attacher": "a", "nodeName": "a", "source": {"persistentVolumeName": "a"}}
    body = resource("storage.k8s.io/v1", "VolumeAttachment", namespace, spec=spec)
    (await api.create("/apis/storage.k8s.io/v1/volumeattachments", body)).ok()
    yield path
    (await api.delete(path)).ok()


async def test_the_status_door_of_an_attachment_takes_no_metadata(api: Api, attachment: str) -> None:
    patch = {"metadata": SENT, "status": {"attached": True}}

    updated = (await api.patch(f"{attachment}/status", patch, fieldManager="writer")).ok()

    assert updated["status"] == {"attached": True}
    assert not SENT.keys() & updated["metadata"].keys()
    assert owned(updated, "writer", "Update", "status") == {"f:status": {"f:attached": {}}}


@pytest.fixture
async def volume(api: Api, namespace: str) -> AsyncIterator[str]:
    """The path of a PersistentVolume."""
    spec = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/a"}}
    body = resource("v1", "PersistentVolume", namespace, spec=spec)
    (await api.create("/api/v1/persistentvolumes", body)).ok()
    path = f"/api/v1/persistentvolumes/{namespace}"
    yield path
    (await api.patch(path, {"metadata": {"finalizers": None}})).ok()
    (await api.delete(path)).ok()


async def test_a_volume_says_when_its_phase_changed(api: Api, volume: str) -> None:
    before = (await api.get(volume)).ok()["status"]

    same = (await api.patch(f"{volume}/status", {"status": {"message": "a"}})).ok()["status"]
    named = (
        await api.patch(f"{volume}/status", {"status": {"lastPhaseTransitionTime": "2020-01-01T00:00:00Z"}})
    ).ok()["status"]
    moved = (await api.patch(f"{volume}/status", {"status": {"phase": "Released"}})).ok()["status"]
    forgotten = await api.patch(f"{volume}/status", {"status": {"lastPhaseTransitionTime": None}})

    assert same == {**before, "message": "a"}
    assert named["lastPhaseTransitionTime"] == "2020-01-01T00:00:00Z"
    assert moved["lastPhaseTransitionTime"] != "2020-01-01T00:00:00Z"
    assert forgotten.ok()["status"] == moved


async def test_the_status_of_a_pod_keeps_its_quality_and_observed_generations(api: Api, pods: str) -> None:
    (await api.create(pods, with_metadata(pod("a"), labels={"app": "a"}))).ok()
    seen = {
        "observedGeneration": 1,
        "conditions": [{"type": "Ready", "status": "True", "observedGeneration": 1}],
    }
    (await api.patch(f"{pods}/a/status", {"status": seen})).ok()

    forgetful = {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]}
    body = (await api.get(f"{pods}/a")).ok() | {"status": forgetful}
    status = (await api.update(f"{pods}/a/status", body)).ok()["status"]

    assert (status["qosClass"], status["observedGeneration"]) == ("BestEffort", 1)
    (condition,) = status["conditions"]
    assert (condition["status"], condition["observedGeneration"]) == ("False", 1)

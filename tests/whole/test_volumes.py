"""Claims and volumes; where pods and nodes are in the way, a test plays scheduler and kubelet."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from by_hand import PATIENCE, template
from polling import until
from windlass.client import DeleteOptions, MergePatch
from windlass.errors import NotFound
from windlass.kinds.apps.v1 import StatefulSet
from windlass.kinds.core.v1 import Event, PersistentVolume, PersistentVolumeClaim, Pod
from windlass.kinds.storage.v1 import StorageClass

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from windlass.api import Resource
    from windlass.client import Client


@pytest.fixture
async def volumes(client: Client) -> AsyncIterator[Volumes]:
    made = Volumes(client)
    yield made
    await made.remove()


class Volumes:
    """Volumes that somebody made beforehand, of a class that is this test's alone."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.kind = client.options.namespace
        self._made: list[str] = []

    async def make(self, name: str, size: str, **spec: Any) -> str:
        whole = {
            "storageClassName": self.kind,
            "capacity": {"storage": size},
            "accessModes": ["ReadWriteOnce"],
            "persistentVolumeReclaimPolicy": "Retain",
            "nfs": {"server": "files.invalid", "path": "/"},
            **spec,
        }
        own = f"{self.kind}-{name}"
        metadata = {"name": own, "labels": {"size": name}}
        await self._client.create(PersistentVolume.from_wire({"metadata": metadata, "spec": whole}))
        self._made.append(own)
        return own

    async def remove(self) -> None:
        for name in self._made:
            with suppress(NotFound):
                await self._client.delete(PersistentVolume, name)


def _claim(name: str, size: str, **spec: Any) -> PersistentVolumeClaim:
    wanted = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}, **spec}
    return PersistentVolumeClaim.from_wire({"metadata": {"name": name}, "spec": wanted})


def _pod(claim: str, **spec: Any) -> Pod:
    volume = {"name": "data", "persistentVolumeClaim": {"claimName": claim}}
    whole = template({}, terminationGracePeriodSeconds=0, volumes=[volume], **spec)
    whole["metadata"]["name"] = "user"
    return Pod.from_wire(whole)


async def _claim_when(
    client: Client, name: str, accept: Callable[[PersistentVolumeClaim], bool]
) -> PersistentVolumeClaim:
    return await until(lambda: client.get(PersistentVolumeClaim, name), accept, patience=PATIENCE)


async def _volume_when(
    client: Client, name: str, accept: Callable[[PersistentVolume], bool]
) -> PersistentVolume:
    return await until(lambda: client.get(PersistentVolume, name), accept, patience=PATIENCE)


async def _gone(ask: Callable[[], Awaitable[Resource]]) -> None:
    async def is_gone() -> bool:
        try:
            await ask()
        except NotFound:
            return True
        return False

    await until(is_gone, patience=PATIENCE)


async def _told(client: Client, reason: str) -> None:
    async def reasons() -> set[str | None]:
        return {each.reason for each in await client.list(Event, client.options.namespace)}

    await until(reasons, lambda found: reason in found, patience=PATIENCE)


async def test_a_claim_without_a_class_gets_a_volume_once_its_pod_has_a_node_and_takes_it_along(
    client: Client,
) -> None:
    async def defaults() -> list[str]:
        key = "storageclass.kubernetes.io/is-default-class"
        classes = await client.list(StorageClass)
        return [each.metadata.name for each in classes if each.metadata.annotations.get(key) == "true"]

    await until(defaults, lambda found: found == ["standard"], patience=PATIENCE)
    await client.create(_claim("data", "1Gi"))
    waiting = await _claim_when(client, "data", lambda found: found.status.phase == "Pending")
    assert waiting.spec.storage_class_name == "standard"
    await _told(client, "WaitForFirstConsumer")
    chosen = {"volume.kubernetes.io/selected-node": "somewhere"}  # by the scheduler
    await client.patch(PersistentVolumeClaim, "data", MergePatch({"metadata": {"annotations": chosen}}))
    bound = await _claim_when(client, "data", lambda found: found.status.phase == "Bound")
    name = f"pvc-{bound.metadata.uid}"
    assert bound.spec.volume_name == name
    assert bound.metadata.annotations["pv.kubernetes.io/bind-completed"] == "yes"
    assert bound.metadata.annotations["volume.kubernetes.io/storage-provisioner"] == "windlass.dev/simulated"
    assert (bound.status.access_modes, str(bound.status.capacity["storage"])) == (["ReadWriteOnce"], "1Gi")
    volume = await _volume_when(client, name, lambda found: found.status.phase == "Bound")
    assert volume.spec.claim_ref
    assert volume.spec.claim_ref.uid == bound.metadata.uid
    assert volume.spec.persistent_volume_reclaim_policy == "Delete"

    more = MergePatch({"spec": {"resources": {"requests": {"storage": "2Gi"}}}})
    await client.patch(PersistentVolumeClaim, "data", more)
    await _claim_when(client, "data", lambda found: str(found.status.capacity.get("storage")) == "2Gi")
    await client.delete(PersistentVolumeClaim, "data")
    await _gone(lambda: client.get(PersistentVolumeClaim, "data"))
    await _gone(lambda: client.get(PersistentVolume, name))


async def test_a_claim_gets_the_smallest_volume_that_fits_and_leaves_it_behind(
    client: Client, volumes: Volumes
) -> None:
    await volumes.make("small", "1Gi")
    await volumes.make("shared", "2Gi", accessModes=["ReadOnlyMany"])
    fits = await volumes.make("fits", "3Gi")
    await _volume_when(client, fits, lambda found: found.status.phase == "Available")
    await client.create(_claim("data", "2Gi", storageClassName=volumes.kind))
    bound = await _claim_when(client, "data", lambda found: found.status.phase == "Bound")
    assert bound.spec.volume_name == fits
    assert str(bound.status.capacity["storage"]) == "3Gi"
    assert bound.metadata.annotations["pv.kubernetes.io/bound-by-controller"] == "yes"
    large = await volumes.make("large", "9Gi")
    await volumes.make("medium", "5Gi")
    await _volume_when(client, large, lambda found: found.status.phase == "Available")
    picky = {"selector": {"matchLabels": {"size": "large"}}, "storageClassName": volumes.kind}
    await client.create(_claim("picky", "1Gi", **picky))
    chosen = await _claim_when(client, "picky", lambda found: found.status.phase == "Bound")
    assert chosen.spec.volume_name == large
    await client.delete(PersistentVolumeClaim, "data")
    left = await _volume_when(client, fits, lambda found: found.status.phase == "Released")
    assert left.spec.claim_ref  # nobody else may have it


async def test_a_claim_and_a_volume_may_name_each_other_beforehand(client: Client, volumes: Volumes) -> None:
    kept = {"namespace": client.options.namespace, "name": "kept"}
    mine = await volumes.make("mine", "9Gi", claimRef=kept)
    free = await volumes.make("free", "1Gi")
    await _volume_when(client, mine, lambda found: found.status.phase == "Available")
    await client.create(_claim("kept", "1Gi", storageClassName=volumes.kind))
    bound = await _claim_when(client, "kept", lambda found: found.status.phase == "Bound")
    assert bound.spec.volume_name == mine
    volume = await _volume_when(client, mine, lambda found: found.status.phase == "Bound")
    assert "pv.kubernetes.io/bound-by-controller" not in volume.metadata.annotations
    await client.create(_claim("huge", "5Gi", storageClassName=volumes.kind, volumeName=free))
    await _told(client, "VolumeMismatch")
    await client.create(_claim("named", "1Gi", storageClassName=volumes.kind, volumeName=free))
    named = await _claim_when(client, "named", lambda found: found.status.phase == "Bound")
    assert "pv.kubernetes.io/bound-by-controller" not in named.metadata.annotations


async def test_what_is_in_use_stays_until_it_is_not(client: Client, volumes: Volumes) -> None:
    name = await volumes.make("only", "1Gi")
    await client.create(_claim("data", "1Gi", storageClassName=volumes.kind))
    await _claim_when(client, "data", lambda found: found.status.phase == "Bound")
    await _volume_when(client, name, lambda found: found.status.phase == "Bound")
    await client.create(_pod("data", nodeName=f"{client.options.namespace}-none"))
    await client.delete(PersistentVolume, name)
    await client.delete(PersistentVolumeClaim, "data")
    held = await client.get(PersistentVolumeClaim, "data")
    assert (held.metadata.finalizers, held.status.phase) == (["kubernetes.io/pvc-protection"], "Bound")
    await client.delete(Pod, "user", options=DeleteOptions(grace_period=timedelta()))
    await _gone(lambda: client.get(PersistentVolumeClaim, "data"))
    await _gone(lambda: client.get(PersistentVolume, name))


async def test_a_volume_that_lives_as_long_as_its_pod_comes_and_goes_with_it(client: Client) -> None:
    wanted = _claim("any", "1Gi", storageClassName="nobody-makes-these").to_wire()["spec"]
    volume = {"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"spec": wanted}}}
    pod = template({}, terminationGracePeriodSeconds=0, volumes=[volume])
    pod["metadata"]["name"] = "user"
    made = await client.create(Pod.from_wire(pod))

    async def claims() -> list[PersistentVolumeClaim]:
        return list(await client.list(PersistentVolumeClaim, client.options.namespace))

    (claim,) = await until(claims, lambda found: len(found) == 1, patience=PATIENCE)
    assert claim.metadata.name == "user-scratch"
    assert [each.uid for each in claim.metadata.owner_references] == [made.metadata.uid]
    await client.delete(Pod, "user")
    await until(claims, lambda found: not found, patience=PATIENCE)


async def test_a_stateful_set_comes_up_on_nodes_with_a_volume_for_each_pod(
    client: Client,
) -> None:
    labels = {"app": "database"}
    pod = {"containers": [{"name": "main", "image": "database:1"}], "terminationGracePeriodSeconds": 0}
    data = _claim("data", "1Gi").to_wire()
    spec = {
        "replicas": 2,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
        "volumeClaimTemplates": [{"metadata": data["metadata"], "spec": data["spec"]}],
    }
    await client.create(StatefulSet.from_wire({"metadata": {"name": "database"}, "spec": spec}))
    await until(
        lambda: client.get(StatefulSet, "database"),
        lambda found: found.status.ready_replicas == 2,
        patience=2 * PATIENCE,
    )
    claims = [await client.get(PersistentVolumeClaim, f"data-database-{number}") for number in (0, 1)]
    assert [claim.status.phase for claim in claims] == ["Bound", "Bound"]
    assert all("volume.kubernetes.io/selected-node" in claim.metadata.annotations for claim in claims)
    await client.delete(StatefulSet, "database")
    for claim in claims:
        await client.delete(PersistentVolumeClaim, claim.metadata.name)
        await _gone(partial(client.get, PersistentVolume, claim.spec.volume_name or ""))

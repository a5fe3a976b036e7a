"""Claims that came too early are not forgotten; a cluster in this process shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from polling import until
from windlass.client import Client, ClientOptions
from windlass.cluster import Cluster, ClusterOptions
from windlass.kinds.core.v1 import PersistentVolume, PersistentVolumeClaim
from windlass.kinds.storage.v1 import StorageClass

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_ROOM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with Cluster(ClusterOptions(controllers=True)) as cluster:
        yield Client(cluster.transport(), ClientOptions(namespace="default"))


async def _claimed(client: Client, **spec: Any) -> PersistentVolumeClaim:
    claim = PersistentVolumeClaim.from_wire({"metadata": {"name": "data"}, "spec": {**_ROOM, **spec}})
    return await client.create(claim)


async def test_a_claim_gets_a_volume_that_comes_later(client: Client) -> None:
    await _claimed(client, storageClassName="shelf")
    await until(
        lambda: client.get(PersistentVolumeClaim, "data"), lambda found: found.status.phase == "Pending"
    )
    spec = {
        "storageClassName": "shelf",
        "capacity": {"storage": "1Gi"},
        "accessModes": ["ReadWriteOnce"],
        "hostPath": {"path": "/shelf"},
    }
    await client.create(PersistentVolume.from_wire({"metadata": {"name": "late"}, "spec": spec}))
    await until(
        lambda: client.get(PersistentVolumeClaim, "data"), lambda found: found.spec.volume_name == "late"
    )


async def test_a_claim_takes_a_default_class_that_comes_later(client: Client) -> None:
    await until(lambda: client.list(StorageClass))
    await client.delete(StorageClass, "standard")
    await _claimed(client)
    await until(
        lambda: client.get(PersistentVolumeClaim, "data"), lambda found: found.status.phase == "Pending"
    )
    marked = {"storageclass.kubernetes.io/is-default-class": "true"}
    metadata = {"name": "late", "annotations": marked}
    await client.create(StorageClass.from_wire({"metadata": metadata, "provisioner": "example.com/none"}))
    taken = await until(
        lambda: client.get(PersistentVolumeClaim, "data"),
        lambda found: "volume.kubernetes.io/storage-provisioner" in found.metadata.annotations,
    )
    assert taken.spec.storage_class_name == "late"


async def test_nothing_is_made_for_a_claim_that_names_a_volume(client: Client) -> None:
    quick = {"metadata": {"name": "quick"}, "provisioner": "windlass.dev/simulated"}
    await client.create(StorageClass.from_wire({**quick, "volumeBindingMode": "Immediate"}))
    await _claimed(client, storageClassName="quick", volumeName="mine")
    await until(
        lambda: client.get(PersistentVolumeClaim, "data"), lambda found: found.status.phase == "Pending"
    )
    other = PersistentVolumeClaim.from_wire(
        {"metadata": {"name": "other"}, "spec": {**_ROOM, "storageClassName": "quick"}}
    )
    await client.create(other)
    await until(
        lambda: client.get(PersistentVolumeClaim, "other"), lambda found: found.status.phase == "Bound"
    )
    assert len(await client.list(PersistentVolume)) == 1

from __future__ import annotations

from datetime import timedelta

from operating import operating
from polling import until
from windlass.aio import ManualClock
from windlass.client import MergePatch
from windlass.cluster.controller.volume.ephemeral import EphemeralVolumeController
from windlass.kinds.core.v1 import PersistentVolumeClaim, Pod

ROOM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}


async def test_a_pod_gets_its_claim_once_another_one_of_that_name_is_gone() -> None:
    clock = ManualClock()
    async with operating(EphemeralVolumeController(), clock=clock, installed=()) as operator:
        client = operator.client
        foreign = {"metadata": {"name": "p-data", "namespace": "default"}, "spec": ROOM}
        made = await client.create(PersistentVolumeClaim.from_wire(foreign))
        volume = {"name": "data", "ephemeral": {"volumeClaimTemplate": {"spec": ROOM}}}
        spec = {"containers": [{"name": "main", "image": "web:1"}], "volumes": [volume]}
        metadata = {"name": "p", "namespace": "default"}
        pod = await client.create(Pod.from_wire({"metadata": metadata, "spec": spec}))

        async def looks() -> list[str]:
            return [each.reason for each in operator.manager.journal.recent()]

        await until(looks, lambda found: "ClaimTaken" in found)
        await operator.quiet()
        assert (
            await client.get(PersistentVolumeClaim, "p-data", "default")
        ).metadata.uid == made.metadata.uid

        free = MergePatch({"metadata": {"finalizers": None}})
        await client.patch(PersistentVolumeClaim, "p-data", free, "default")
        await client.delete(PersistentVolumeClaim, "p-data", "default")
        await clock.advance(timedelta(seconds=10))
        ours = await until(
            lambda: client.list(PersistentVolumeClaim, "default"),
            lambda found: [each.metadata.uid for each in found] not in ([], [made.metadata.uid]),
        )
    assert [owner.uid for each in ours for owner in each.metadata.owner_references] == [pod.metadata.uid]

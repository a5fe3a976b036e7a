"""Pods whose volumes decide where they can lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from by_hand import PATIENCE
from placing import place
from polling import until
from windlass.client import MergePatch
from windlass.kinds.core.v1 import PersistentVolume, PersistentVolumeClaim
from windlass.kinds.storage.v1 import StorageClass

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from placing import Place
    from windlass.client import Client

Wire = dict[str, Any]
SELECTED = "volume.kubernetes.io/selected-node"


@pytest.fixture
async def here(client: Client, namespace: str) -> AsyncIterator[Place]:
    """Nodes and classes of storage of the test's own."""
    async with place(client, namespace) as made:
        for suffix, mode in (("now", "Immediate"), ("late", "WaitForFirstConsumer")):
            body = {"provisioner": "nobody.windlass.dev/none", "volumeBindingMode": mode}
            await client.create(
                StorageClass.from_wire({"metadata": {"name": f"{namespace}-{suffix}"}, **body})
            )
        yield made
        for suffix in ("now", "late"):
            await client.delete(StorageClass, f"{namespace}-{suffix}")


async def claim(client: Client, name: str, kind: str, **spec: Any) -> PersistentVolumeClaim:
    whole = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "1Gi"}},
        "storageClassName": kind,
        **spec,
    }
    return await client.create(PersistentVolumeClaim.from_wire({"metadata": {"name": name}, "spec": whole}))


def using(name: str) -> Wire:
    """The part of a pod's spec that uses a claim."""
    return {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": name}}]}


async def test_a_pod_waits_for_its_claims(here: Place, client: Client, namespace: str) -> None:
    await here.node("a")
    await here.pod("early", **using("later"))
    first = await here.refused("early")
    assert 'nodes are available: persistentvolumeclaim "later" not found.' in first

    await claim(client, "later", f"{namespace}-now")
    second = await here.refused("early", "unbound")
    assert "nodes are available: pod has unbound immediate PersistentVolumeClaims." in second
    await bind(client, namespace, "later", f"{here.group}-a")
    assert await here.placed("early") == {"early": "a"}


async def test_a_pod_goes_where_its_volume_is(here: Place, client: Client, namespace: str) -> None:
    for name in ("a", "b"):
        await here.node(name)
    await claim(client, "data", f"{namespace}-now")
    await bind(client, namespace, "data", f"{here.group}-b")

    await here.pod("web", **using("data"))
    assert await here.placed("web") == {"web": "b"}
    pin = {"nodeSelector": {"kubernetes.io/hostname": f"{here.group}-a"}}
    await here.pod("wrong", **using("data"), **pin)
    assert "1 node(s) didn't match PersistentVolume's node affinity" in await here.refused("wrong")


async def test_a_claim_that_waits_for_its_first_user_is_told_the_node(
    here: Place, client: Client, namespace: str
) -> None:
    node = await here.node("a")
    await claim(client, "data", f"{namespace}-late")
    await here.pod("web", **using("data"))

    async def ask() -> PersistentVolumeClaim:
        return await client.get(PersistentVolumeClaim, "data")

    told = await until(ask, lambda found: SELECTED in found.metadata.annotations, patience=PATIENCE)
    assert told.metadata.annotations[SELECTED] == node
    assert not (await here.when("web", lambda pod: True)).spec.node_name
    await bind(client, namespace, "data", node)
    assert await here.placed("web") == {"web": "a"}


async def bind(client: Client, namespace: str, name: str, node: str) -> None:
    """Make a volume on a node for a claim, and say in both that they are bound: a provisioner by hand."""
    found = await client.get(PersistentVolumeClaim, name)
    terms = [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}]}]
    volume = {
        "metadata": {"name": f"{namespace}-{name}"},
        "spec": {
            "capacity": {"storage": "1Gi"},
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": found.spec.storage_class_name,
            "hostPath": {"path": "/srv/none"},
            "nodeAffinity": {"required": {"nodeSelectorTerms": terms}},
            "claimRef": {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "namespace": namespace,
                "name": name,
                "uid": found.metadata.uid,
            },
            "persistentVolumeReclaimPolicy": "Retain",
        },
    }
    await client.create(PersistentVolume.from_wire(volume))

    async def ask() -> str:
        return (await client.get(PersistentVolumeClaim, name)).status.phase

    if not await _has_binder(client, name):
        completed = {"pv.kubernetes.io/bind-completed": "yes", "pv.kubernetes.io/bound-by-controller": "yes"}
        patch = {"metadata": {"annotations": completed}, "spec": {"volumeName": f"{namespace}-{name}"}}
        await client.patch(PersistentVolumeClaim, name, MergePatch(patch))
        status = {"phase": "Bound", "accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}}
        await client.status.patch(PersistentVolumeClaim, name, MergePatch({"status": status}))
    await until(ask, lambda phase: phase == "Bound", patience=PATIENCE)


async def _has_binder(client: Client, name: str) -> bool:
    """Whether a controller binds the claim by itself, within a second."""

    async def ask() -> str:
        return (await client.get(PersistentVolumeClaim, name)).status.phase

    try:
        await until(ask, lambda phase: phase == "Bound", patience=1)
    except AssertionError:
        return False
    return True

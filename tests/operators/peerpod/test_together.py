"""The webhook that a config deploys really runs: pods are sized, scheduled by machines, and wait when none is left."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from peer_pods import NAME, SERVED_BY, config
from peer_pods import WHO as PROCESS
from windlass.api import ObjectMeta
from windlass.kinds.core.v1 import ConfigMap, Namespace, Pod, Secret
from windlass.manager import ManagerOptions
from windlass.operators.peerpod import VM_RESOURCE, PeerPodConfig, PeerPodConfigController, PeerPodOptions
from windlass.operators.peerpod.webhook import VCPUS
from windlass.testing import LOCAL_IMAGE, TrialOptions, on_trial

if TYPE_CHECKING:
    from windlass.client import Client
    from windlass.testing import Access

HOST = "kubernetes.io/hostname"

pytestmark = [pytest.mark.timeout(240), pytest.mark.xdist_group("nodes"), pytest.mark.deployed]
WHO = f"hooked-{uuid4().hex[:8]}"
PATIENCE = timedelta(seconds=90)
NOWHERE = ("--metrics-bind-address", "0", "--health-probe-bind-address", "0")  # replicas share this machine
WINDLASS = str(Path(sys.executable).parent / "windlass")
OPTIONS = PeerPodOptions(
    namespace=WHO,
    name=WHO,
    runtime_class=WHO,
    selector=f"{SERVED_BY}={PROCESS}",
    privileged=True,  # whose pods are ready without a startup probe of 20 s
    webhook_image=LOCAL_IMAGE,
    webhook_args=(WINDLASS, "run", "windlass.operators.peerpod.webhook", *NOWHERE),
    webhook_environment={"WEBHOOK_PORT": "$(WINDLASS_PORT_9443)"},
)


def confidential(name: str) -> Pod:
    """A pod that is to run in a machine of its own, as its author writes it."""
    container = {"name": "app", "image": "app:1", "resources": {"requests": {"cpu": "1500m"}}}
    return Pod.from_wire(
        {"metadata": {"name": name}, "spec": {"runtimeClassName": WHO, "containers": [container]}}
    )


async def furnish(client: Client) -> None:
    """The namespace of the parts, and what the cloud-api-adaptor needs there."""
    await client.create(Namespace(metadata=ObjectMeta(name=WHO)))
    await client.create(Secret.from_wire({"metadata": {"name": "peer-pods-secret", "namespace": WHO}}))
    settings = {"name": "peer-pods-cm", "namespace": WHO}
    await client.create(ConfigMap.from_wire({"metadata": settings, "data": {"CLOUD_PROVIDER": "libvirt"}}))


async def test_a_pod_of_the_runtime_class_is_sized_scheduled_by_machines_and_waits_when_none_is_left(
    control_plane: Access,
) -> None:
    everywhere = TrialOptions(manager=ManagerOptions(name="peer-pods-operator"), whole=True)
    async with on_trial(control_plane, [PeerPodConfigController(OPTIONS)], everywhere) as trial:
        client = trial.client
        await furnish(client)
        nodes = {"matchExpressions": [{"key": HOST, "operator": "In", "values": ["node-1", "node-2"]}]}
        await client.create(config("", limit=2, nodeSelector=nodes, components={}))
        await trial.ready(PeerPodConfig, NAME, within=PATIENCE)

        made = await client.create(confidential("one"))
        (container,) = made.spec.containers
        assert made.metadata.annotations[VCPUS] == "2"
        assert container.resources is not None
        assert {name: str(value) for name, value in container.resources.requests.items()} == {
            VM_RESOURCE: "1"
        }
        await client.create(confidential("two"))
        full = await trial.until(
            PeerPodConfig, NAME, lambda found: found.status.total_used == 2, within=PATIENCE
        )
        assert [(each.capacity, each.used) for each in full.status.nodes] == [(1, 1), (1, 1)]
        await client.create(confidential("three"))
        waits = await trial.until(Pod, "three", lambda found: bool(found.status.conditions), within=PATIENCE)
        (said,) = waits.status.conditions
        assert (said.reason, said.status) == ("Unschedulable", "False")
        assert f"Insufficient {VM_RESOURCE}" in (said.message or "")

        await client.delete(PeerPodConfig, NAME)
        await trial.gone(PeerPodConfig, NAME, within=PATIENCE)
        await client.delete(Namespace, WHO)

"""From an empty cluster to pods on the nodes that have room for their machines, as the page of old promised."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from peer_pods import NAME, offering, vm_pod
from windlass.api import Key, Resource, read_yaml
from windlass.kinds.apps.v1 import DaemonSet, Deployment
from windlass.kinds.core.v1 import ConfigMap, Node, Pod, Secret, ServiceAccount
from windlass.kinds.node.v1 import RuntimeClass
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding
from windlass.operators import peerpod
from windlass.operators.peerpod import PeerPodConfig, PeerPodOptions
from windlass.operators.peerpod.desired import daemon_set_key
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from peer_pods import Peering
    from windlass.client import Client

pytestmark = [pytest.mark.timeout(180), pytest.mark.xdist_group("nodes")]
SAMPLES = Path(peerpod.__file__).parent / "samples"
KINDS: dict[str, type[Resource]] = {each.__kind__.name: each for each in (ConfigMap, Secret, PeerPodConfig)}
NODE = "node-1"
PATIENCE = timedelta(seconds=60)


async def apply_samples(client: Client, **spec: Any) -> None:
    """What the samples say, for one node of the cluster and with another limit."""
    for path in sorted(SAMPLES.glob("*.yaml")):
        for each in read_yaml(path.read_text("utf-8")):
            if each["kind"] == "PeerPodConfig":
                each["metadata"]["name"] = NAME
                each["spec"] |= {"nodeSelector": {"kubernetes.io/hostname": NODE}, **spec}
            await client.apply(KINDS[each["kind"]].from_wire(each))


def scheduled(found: Pod) -> bool:
    """Whether a pod has a node."""
    return bool(found.spec.node_name)


def unplaced(name: str) -> Pod:
    """A pod that the scheduler has to find a node for."""
    made = vm_pod(name, "")
    made.metadata.labels["app"] = "vm"
    made.spec.node_name = None
    return made


async def test_a_config_sets_everything_up_and_pods_are_scheduled_as_long_as_there_are_machines(
    peering: Peering,
) -> None:
    options = PeerPodOptions(privileged=True)  # whose pods are ready without a startup probe of 20 s
    async with peering(options, TrialOptions(whole=True), name_by_test=True) as peers:
        client, trial = peers.trial.client, peers.trial
        await apply_samples(client, limit="2")
        await trial.until(Node, NODE, offering(2), within=PATIENCE)
        done = await trial.ready(PeerPodConfig, NAME, within=PATIENCE)
        assert done.status.setup_completed
        assert done.status.provider == "libvirt"
        assert [each.type for each in done.status.conditions if each.status == "True"] == [
            "NodesAdvertised",
            "SecretFound",
            "ConfigMapFound",
            "ProviderValid",
            "DaemonSetReady",
            "RuntimeClassFound",
            "WebhookReady",
            "Ready",
        ]
        key = daemon_set_key(Key(trial.namespace, NAME), options)
        assert (await client.get(DaemonSet, key.name)).status.number_available == 1
        assert (await client.get(Deployment, f"{peers.name}-webhook")).status.available_replicas == 2
        assert (await client.get(RuntimeClass, peers.name)).handler == peers.name

        for name in ("one", "two", "three"):
            await client.create(unplaced(name))
        await trial.until(PeerPodConfig, NAME, lambda found: found.status.total_used == 2, within=PATIENCE)
        pods = await client.list(Pod, trial.namespace, labels="app=vm")
        assert sorted(map(scheduled, pods)) == [False, True, True]
        await trial.settled()

        await client.delete(PeerPodConfig, NAME)
        await trial.gone(PeerPodConfig, NAME, within=PATIENCE)
        await trial.until(Node, NODE, offering(None))
        for kind in (DaemonSet, Deployment):
            names = [each.metadata.name for each in await client.list(kind, trial.namespace)]
            assert names == []
        for shared in (ClusterRole, ClusterRoleBinding, RuntimeClass):
            assert not [each for each in await client.list(shared) if peers.name in each.metadata.name]
        accounts = {each.metadata.name for each in await client.list(ServiceAccount, trial.namespace)}
        assert accounts == {"default"}


async def test_a_runtime_class_that_somebody_else_made_is_left_alone(peering: Peering) -> None:
    async with peering(name_by_test=True) as peers:
        client = peers.trial.client
        theirs = {"metadata": {"name": peers.name}, "handler": "theirs"}
        await client.create(RuntimeClass.from_wire(theirs))
        await apply_samples(client, components={"webhook": False, "daemonSet": False})
        await peers.says("RuntimeClassFound", "True", "Found")

        await client.delete(PeerPodConfig, NAME)
        await peers.trial.gone(PeerPodConfig, NAME)
        assert (await client.get(RuntimeClass, peers.name)).handler == "theirs"
        await client.delete(RuntimeClass, peers.name)

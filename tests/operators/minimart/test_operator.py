"""The operator at work on a whole cluster, with the real `helm`."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from minimart_shop import (
    MADE,
    NAME,
    PODS,
    change,
    is_deployed,
    left_over,
    message,
    revisions,
    runs,
    sample,
    told,
)
from polling import until
from windlass.client import MergePatch
from windlass.cluster import Cluster, ClusterOptions
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Namespace, Pod, Service
from windlass.operators.minimart import Minimart, add_to
from windlass.testing import Trial, TrialOptions, fast_nodes, on_trial

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.testing import Access

pytestmark = pytest.mark.timeout(180)  # of a whole cluster that others use too
_PATIENCE = 40.0


@asynccontextmanager
async def opened(target: Access | Cluster, options: TrialOptions) -> AsyncIterator[Trial]:
    """The operator for the length of the block, at the end of which it must have cleaned up."""
    async with on_trial(target, [add_to], options) as trial:
        yield trial
        await trial.client.delete_collection(Minimart, trial.namespace)
        await trial.gone(Minimart, NAME)
        await until(lambda: left_over(trial.client), lambda found: not found, patience=_PATIENCE)


@pytest.fixture
async def trial(helm: Path, control_plane: Access) -> AsyncIterator[Trial]:
    async with opened(control_plane, TrialOptions(whole=True)) as trial:
        yield trial


async def test_the_sample_is_a_deployment_its_pods_and_a_service_with_a_port_on_every_node(
    trial: Trial,
) -> None:
    client = trial.client
    await client.create(sample())

    await trial.until(Minimart, NAME, is_deployed("InstallSuccessful"))
    await trial.until(Deployment, NAME, runs(1))
    shop = await client.get(Minimart, NAME)
    (port,) = (await client.get(Service, NAME)).spec.ports
    (pod,) = await client.list(Pod, trial.namespace, labels=PODS)
    assert (await client.get(Service, NAME)).spec.type == "NodePort"
    assert (port.port, port.target_port) == (80, "http")
    assert port.node_port
    assert pod.metadata.name.startswith(f"{NAME}-")
    assert pod.spec.containers[0].image == "samutup/minimart:1.0.2"
    assert "samutup/minimart:1.0.2 listens at port 8002" in message(shop, "Deployed")
    assert shop.status["deployedRelease"]["name"] == NAME
    assert "kind: Deployment" in shop.status["deployedRelease"]["manifest"]
    for kind in MADE:
        (owner,) = (await client.get(kind, NAME)).metadata.owner_references
        assert (owner.kind, owner.uid, owner.controller) == ("Minimart", shop.metadata.uid, True)
    await trial.settled()
    assert await revisions(client) == {1: "deployed"}


async def test_another_count_of_replicas_scales_and_what_goes_is_pruned(trial: Trial) -> None:
    client = trial.client
    await client.create(sample(serviceAccount={"name": "keeper"}))
    await trial.until(Deployment, NAME, runs(1))

    await change(client, replicaCount=3)
    await trial.until(Deployment, NAME, runs(3))
    await change(client, replicaCount="2", serviceAccount={"create": False, "name": "default"})
    await trial.until(Deployment, NAME, runs(2))
    await trial.until(Minimart, NAME, is_deployed("UpgradeSuccessful"))
    await trial.gone(MADE[-1], "keeper")
    await trial.settled()
    assert await revisions(client) == {1: "superseded", 2: "superseded", 3: "deployed"}


async def test_what_somebody_changes_or_deletes_by_hand_is_put_back_without_a_revision(trial: Trial) -> None:
    client = trial.client
    await client.create(sample())
    await trial.until(Deployment, NAME, runs(1))

    await client.patch(Deployment, NAME, MergePatch({"spec": {"replicas": 4}}))
    await trial.until(Deployment, NAME, lambda found: found.spec.replicas == 1)
    await client.patch(ConfigMap, NAME, MergePatch({"data": {"minimart.yaml": "mine", "more": "stays"}}))
    put_back = await trial.until(ConfigMap, NAME, lambda found: found.data["minimart.yaml"] != "mine")
    before = await client.get(Service, NAME)
    await client.delete(Service, NAME)
    after = await trial.until(Service, NAME, lambda found: found.metadata.uid != before.metadata.uid)
    await trial.until(Deployment, NAME, runs(1))
    await trial.settled()
    assert put_back.data["more"] == "stays"
    assert after.spec.type == "NodePort"
    assert await revisions(client) == {1: "deployed"}

    await change(client, replicaCount=2)  # Helm meets no conflict with what was put back
    await trial.until(Deployment, NAME, runs(2))


async def test_who_scales_by_load_is_left_alone(trial: Trial) -> None:
    client = trial.client
    await client.create(sample(autoscaling={"enabled": True}))
    await trial.until(Deployment, NAME, runs(1))

    await client.patch(Deployment, NAME, MergePatch({"spec": {"replicas": 4}}))  # as an autoscaler does
    await trial.until(Deployment, NAME, runs(4))
    await change(client, image={"tag": "1.0.3"})
    await trial.until(Minimart, NAME, is_deployed("UpgradeSuccessful"))
    await trial.until(Deployment, NAME, runs(4))
    await trial.settled()


async def test_values_that_make_no_sense_are_told_and_leave_what_runs_alone(trial: Trial) -> None:
    client = trial.client
    await client.create(sample(replicaCount=2))
    await trial.until(Deployment, NAME, runs(2))

    await change(client, replicaCount=-1)
    bad = await trial.until(Minimart, NAME, lambda shop: "Irreconcilable" in told(shop))
    assert told(bad)["Irreconcilable"] == ("True", "ReconcileError")
    assert told(bad)["Deployed"][0] == "True"
    assert "replicaCount" in message(bad, "Irreconcilable")
    assert runs(2)(await client.get(Deployment, NAME))
    assert await revisions(client) == {1: "deployed"}

    await change(client, replicaCount=1)
    await trial.until(Minimart, NAME, is_deployed("UpgradeSuccessful"))
    await trial.until(Deployment, NAME, runs(1))


async def test_an_upgrade_that_the_server_refuses_is_told_and_rolled_back(trial: Trial) -> None:
    client = trial.client
    await client.create(sample(ingress={"enabled": True}))
    await trial.until(Deployment, NAME, runs(1))
    before = await client.get(Service, NAME)

    await change(client, resources={"limits": {"cpu": "much"}}, replicaCount=2)
    bad = await trial.until(Minimart, NAME, lambda shop: "ReleaseFailed" in told(shop))
    after = await client.get(Service, NAME)
    assert told(bad)["ReleaseFailed"] == ("True", "UpgradeError")
    assert "quantities must match" in message(bad, "ReleaseFailed")
    assert "; rolled back to revision 1" in message(bad, "ReleaseFailed")
    assert runs(1)(await client.get(Deployment, NAME))
    assert (after.metadata.uid, after.spec.ports) == (before.metadata.uid, before.spec.ports)

    await change(client, resources=None)
    await trial.until(Deployment, NAME, runs(2))
    await trial.until(Minimart, NAME, is_deployed("UpgradeSuccessful"))


async def test_a_first_installation_with_bad_values_is_told_and_leaves_nothing(trial: Trial) -> None:
    await trial.client.create(sample(service={"type": "Nodeport"}))

    bad = await trial.until(Minimart, NAME, lambda shop: "ReleaseFailed" in told(shop))
    assert told(bad)["ReleaseFailed"] == ("True", "InstallError")
    assert "'/service/type': value must be one of" in message(bad, "ReleaseFailed")
    assert await left_over(trial.client) == []


async def test_pods_run_under_the_restricted_profile(trial: Trial) -> None:
    strict = MergePatch({"metadata": {"labels": {"pod-security.kubernetes.io/enforce": "restricted"}}})
    await trial.client.patch(Namespace, trial.namespace, strict)
    await trial.client.create(sample())

    await trial.until(Deployment, NAME, runs(1))


async def test_its_role_is_enough_and_not_too_much(helm: Path) -> None:
    options = TrialOptions(whole=True, least_privilege=True)
    whole = ClusterOptions(controllers=True, nodes=fast_nodes(1))
    async with Cluster(whole) as cluster, opened(cluster, options) as trial:
        client = trial.client
        await client.create(sample(ingress={"enabled": True}, autoscaling={"enabled": True}))
        await trial.until(Minimart, NAME, is_deployed("InstallSuccessful"))
        before = await client.get(Service, NAME)
        await client.delete(Service, NAME)
        await trial.until(Service, NAME, lambda found: found.metadata.uid != before.metadata.uid)
        await change(client, unknown="a value that changes no object")
        await trial.rest()
        await change(client, resources={"limits": {"cpu": "much"}})
        await trial.until(Minimart, NAME, lambda shop: "rolled back" in message(shop, "ReleaseFailed"))
        await change(client, resources=None, autoscaling={"enabled": False}, replicaCount=2)
        await trial.until(Deployment, NAME, runs(2))
        await client.delete(Minimart, NAME)
        await trial.gone(Minimart, NAME)
        assert trial.granted is not None
        trial.granted.check()

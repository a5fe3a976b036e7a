"""Controllers of pods in a world that is as it should be."""

from __future__ import annotations

from by_hand import run, template
from operating import operating
from polling import until
from windlass.cluster.controller.deployment import DeploymentController
from windlass.cluster.controller.disruption import DisruptionController
from windlass.cluster.controller.replica_set import ReplicaSetController
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Pod
from windlass.kinds.policy.v1 import PodDisruptionBudget
from windlass.reconcile import Cause

LABELS = {"app": "web"}
METADATA = {"name": "web", "namespace": "default"}


async def test_a_second_look_at_an_unchanged_world_makes_no_calls() -> None:
    spec = {"replicas": 3, "selector": {"matchLabels": LABELS}, "template": template(LABELS)}
    budget = {"maxUnavailable": 1, "selector": {"matchLabels": LABELS}}
    async with operating(ReplicaSetController(), DeploymentController(), installed=()) as operator:
        client, manager = operator.client, operator.manager
        manager.add(DisruptionController(manager.client))
        await client.create(Deployment.from_wire({"metadata": METADATA, "spec": spec}))
        await client.create(PodDisruptionBudget.from_wire({"metadata": METADATA, "spec": budget}))
        made = await until(lambda: client.list(Pod, "default"), lambda found: len([*found]) == 3)
        await run(client, *made)
        await until(
            lambda: client.get(Deployment, "web", "default"),
            lambda found: found.status.available_replicas == 3,
        )
        await until(
            lambda: client.get(PodDisruptionBudget, "web", "default"),
            lambda found: found.status.disruptions_allowed == 1,
        )
        await operator.quiet()
        before = operator.calls
        for controller in manager.controllers:
            controller.wake_all(Cause("asked"))
        await operator.quiet()

        assert operator.calls[len(before) :] == []
        asked = [each for each in manager.journal.recent() if "asked" in map(str, each.causes)]
        assert {each.controller for each in asked} == {each.name for each in manager.controllers}

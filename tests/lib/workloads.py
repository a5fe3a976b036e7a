"""Windlass's own controllers of a cluster, as an operator that is simulated."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.api import LabelSelector, ObjectMeta
from windlass.cluster.controller import add_to
from windlass.kinds.apps.v1 import (
    Deployment,
    DeploymentSpec,
    DeploymentStrategy,
    ReplicaSet,
    StatefulSet,
    StatefulSetSpec,
)
from windlass.kinds.batch.v1 import Job, JobSpec
from windlass.kinds.core.v1 import Container, Pod, PodSpec, PodTemplateSpec
from windlass.testing import Readiness, Scenario

if TYPE_CHECKING:
    from windlass.api import Resource
    from windlass.manager import Manager
    from windlass.testing import SimulatedWorld
    from windlass.testing.simulation import Version


_OF_THE_CLUSTER = ("/serviceaccounts", "/configmaps", "storage.k8s.io/storageclasses")


def template(name: str, **spec: Any) -> PodTemplateSpec:
    """A pod that nobody runs."""
    containers = [Container(name="main", image="first")]
    pod = PodSpec(containers=containers, scheduler_name="nobody", **spec)
    return PodTemplateSpec(metadata=ObjectMeta(labels={"app": name}), spec=pod)


class Workloads(Scenario):
    """Sets and jobs are made, scaled and deleted; garbage collection is the operator's own."""

    kinds = (StatefulSet, Job, Deployment)
    sweeps = False
    patience = timedelta(minutes=5)

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        add_to(manager, lambda: "certificate")

    @override
    async def play(self, world: SimulatedWorld) -> None:
        spec = StatefulSetSpec(
            service_name="db",
            replicas=2,
            pod_management_policy="Parallel",
            selector=LabelSelector(match_labels={"app": "db"}),
            template=template("db"),
        )
        await world.create(StatefulSet(metadata=ObjectMeta(name="db"), spec=spec))
        web = DeploymentSpec(
            replicas=2,
            strategy=DeploymentStrategy(type="Recreate"),
            selector=LabelSelector(match_labels={"app": "web"}),
            template=template("web"),
        )
        await world.create(Deployment(metadata=ObjectMeta(name="web"), spec=web))
        for name in ("once", "more"):
            job = JobSpec(parallelism=2, completions=3, template=template(name, restart_policy="Never"))
            await world.create(Job(metadata=ObjectMeta(name=name), spec=job))
        await world.pause(timedelta(seconds=15))
        await world.change(StatefulSet, "db", {"spec": {"replicas": 4}})
        await world.change(Job, "more", {"spec": {"parallelism": 3}})
        second = {"spec": {"containers": [{"name": "main", "image": "second"}]}}
        await world.change(Deployment, "web", {"spec": {"template": second}})
        await world.pause(timedelta(seconds=15))
        await world.delete(Job, "once")
        await world.change(StatefulSet, "db", {"spec": {"replicas": 1}})

    @override
    async def meddle(self, world: SimulatedWorld, number: int) -> None:
        for pod in world.list(Pod)[number : number + 1]:
            await world.delete(Pod, pod.metadata.name)

    @override
    def may_stay(self, made: Version) -> bool:
        return made.resource in _OF_THE_CLUSTER

    @override
    def is_true(self, resource: Any, world: SimulatedWorld) -> bool:
        wanted = (resource.spec.parallelism if isinstance(resource, Job) else resource.spec.replicas) or 0
        owners = {resource.metadata.uid}
        if isinstance(resource, Deployment):
            owners = {each.metadata.uid for each in world.list(ReplicaSet) if owners & _owners(each)}
        pods = [pod for pod in world.list(Pod) if owners & _owners(pod)]
        image = resource.spec.template.spec.containers[0].image
        return [pod.spec.containers[0].image for pod in pods] == [image] * wanted

    @override
    def reports(self, resource: Any) -> Readiness:
        status, spec = resource.status, resource.spec
        if isinstance(resource, Job):
            return Readiness(is_fresh=True, is_ready=status.active == spec.parallelism, reason="Active")
        is_fresh = status.observed_generation == resource.metadata.generation
        count = status.updated_replicas if isinstance(resource, Deployment) else status.replicas
        return Readiness(is_fresh, is_fresh and count == status.replicas == spec.replicas)


def _owners(resource: Resource) -> set[str]:
    return {owner.uid for owner in resource.metadata.owner_references or ()}

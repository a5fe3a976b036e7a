from collections.abc import Iterator
from datetime import timedelta

from typing_extensions import override

from preview import Preview, PreviewController
from preview.controller import host_of
from preview.types import PreviewSpec
from windlass import Context, Manager, ObjectMeta, Reconciler, Result
from windlass.kinds.apps.v1 import Deployment, DeploymentStatus
from windlass.testing import Holding, Outside, Scenario, Simulate, SimulatedWorld


class SimulatedHosts(Outside):
    """Host names, on a network that delays and loses calls."""

    looks = ("find",)  # it changes nothing

    def __init__(self) -> None:
        self.addresses: dict[str, str] = {}

    async def find(self, host: str) -> str | None:
        return self.addresses.get(host)

    async def publish(self, host: str, address: str) -> None:
        self.addresses[host] = address

    async def withdraw(self, host: str) -> None:
        self.addresses.pop(host, None)

    @override
    def holdings(self) -> Iterator[Holding]:
        return (Holding(host, address) for host, address in self.addresses.items())


class Rollout(Reconciler[Deployment]):
    """In place of a cluster's nodes: what is to run, runs."""

    async def reconcile(self, deployment: Deployment, ctx: Context) -> Result[DeploymentStatus]:
        count = deployment.spec.replicas or 0
        status = DeploymentStatus(observed_generation=deployment.metadata.generation)
        status.replicas = status.updated_replicas = status.ready_replicas = status.available_replicas = count
        return Result.ready(status)


class PullRequests(Scenario):
    """Previews that come, change, and go."""

    kinds = (Preview,)

    def __init__(self) -> None:
        self.hosts = SimulatedHosts()
        self.outside = (self.hosts,)

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        manager.add(PreviewController(world.reach(self.hosts)))
        manager.add(Rollout())

    @override
    async def play(self, world: SimulatedWorld) -> None:
        for name in ("shop-42", "shop-43"):
            await world.create(Preview(metadata=ObjectMeta(name=name), spec=PreviewSpec(image="shop:1")))
        await world.pause(timedelta(seconds=5))
        await world.change(Preview, "shop-42", {"spec": {"image": "shop:2", "replicas": 2}})
        await world.delete(Preview, "shop-43")

    @override
    def is_true(self, resource: Preview, world: SimulatedWorld) -> dict[str, bool]:
        live = world.get(Deployment, resource.metadata.name)
        return {
            "runs": live is not None and live.status.available_replicas == resource.spec.replicas,
            "is published": host_of(resource) in self.hosts.addresses,
        }


def test_previews_survive(simulate: Simulate) -> None:
    simulate(PullRequests, seeds=20)

"""Whatever happens to the operator and the cloud: no instance is left, and none is deleted that is in use."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from instances import cleaning, credentials, peer
from windlass.errors import SimulationFailed
from windlass.operators.peerpod import PeerPod
from windlass.operators.peerpod.cloud import Cloud, CloudError, FakeCloud, ThrottledError
from windlass.operators.peerpod.controllers import FINALIZER, PeerPodController
from windlass.testing import Holding, Judge, Outside, Scenario, Weather, simulate
from windlass.testing.simulation import all_judges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.manager import Manager
    from windlass.testing import Court, Simulate, SimulatedWorld

pytestmark = pytest.mark.simulation


class Region(Outside, Cloud):
    """A cloud as the simulation reaches it; `mistakes` are instances that were deleted while in use."""

    def __init__(self) -> None:
        self.cloud = FakeCloud()
        self.mistakes: list[str] = []
        self.world: SimulatedWorld | None = None

    def users(self, instance_id: str) -> list[str]:
        """The PeerPods that an instance is in use by."""
        return [
            each.metadata.name
            for each in (self.world.list(PeerPod) if self.world else ())
            if each.spec.instance_id == instance_id and each.metadata.deletion_timestamp is None
        ]

    @override
    async def delete_instance(self, instance_id: str) -> None:
        self.mistakes += [f"{instance_id} of {each}" for each in self.users(instance_id)]
        await self.cloud.delete_instance(instance_id)

    @override
    def holdings(self) -> Iterator[Holding]:
        return (Holding(purpose, each) for each, purpose in self.cloud.instances.items())

    @override
    def lost(self, call: str, *, sent: bool) -> Exception:
        return CloudError(f"{call}: lost")


class NoneInUse(Judge):
    """No instance was deleted whose PeerPod was not."""

    name = "no instance is deleted that is in use"

    def __init__(self, region: Region) -> None:
        self._region = region

    @override
    async def examine(self, court: Court) -> None:
        for each in self._region.mistakes:
            court.find(self.name, each)


class Machines(Scenario):
    """Pods come, start again in another instance, and go; the cloud-api-adaptor is at times there to help."""

    kinds = (PeerPod,)
    sweeps = False  # their pods are nowhere, and yet they are not to go with them

    def __init__(self) -> None:
        self.region = Region()
        self.outside = (self.region,)

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        self.region.world = world
        options = cleaning(world.reach(self.region), grace=timedelta(seconds=20))
        manager.add(PeerPodController(options))

    @override
    async def play(self, world: SimulatedWorld) -> None:
        await world.client.create(in_default(credentials()))
        await self.start(world, "shop-1", "shop")
        await self.start(world, "bank-1", "bank")
        await world.pause(timedelta(seconds=5))
        self.region.cloud.refuse(ThrottledError("slowly", timedelta(seconds=10)), CloudError("an earthquake"))
        await self.start(world, "shop-2", "shop")
        await world.pause(timedelta(seconds=5))
        await world.delete(PeerPod, "bank-1")
        await world.pause(timedelta(seconds=5))
        await self.start(world, "shop-3", "shop")
        instance = await self.start(world, "bank-2", "bank")
        await world.pause(timedelta(seconds=5))
        await self.start(world, "bank-2-again", "bank", instance)
        await world.pause(timedelta(seconds=40))

    async def start(self, world: SimulatedWorld, name: str, pod: str, instance: str = "") -> str:
        """What the cloud-api-adaptor does when a pod starts, in a new instance or one that it finds again."""
        instance = instance or self.region.cloud.launch(name)
        await world.create(in_default(peer(name, instance, owner=f"uid-of-{pod}")))
        return instance

    @override
    async def meddle(self, world: SimulatedWorld, number: int) -> None:
        """The cloud-api-adaptor deletes an instance by itself, and lets the PeerPod go."""
        for each in world.list(PeerPod):
            if each.metadata.deletion_timestamp and FINALIZER in each.metadata.finalizers:
                if not self.region.users(each.spec.instance_id):
                    self.region.cloud.instances.pop(each.spec.instance_id, None)
                await world.change(PeerPod, each.metadata.name, {"metadata": {"finalizers": None}})
                return

    @override
    def is_true(self, resource: Any, world: SimulatedWorld) -> bool:
        deleted = resource.metadata.deletion_timestamp is not None
        return (resource.spec.instance_id in self.region.cloud.instances) != deleted

    @override
    def judges(self) -> Sequence[Judge]:
        return [*all_judges(), NoneInUse(self.region)]


def in_default(resource: Any) -> Any:
    """The same, where people's things lie."""
    resource.metadata.namespace = "default"
    return resource


class Crashing(Machines):
    """Nothing goes wrong but that the operator crashes at every third write or call: before, at or after it."""

    weather = Weather(
        faults=0, crashes=0.3, stalls=0, lags=0, cuts=0, silences=0, compactions=0, ends=3, splits=0,
        pauses=0, meddling=0,
    )  # fmt: skip


def test_no_instance_is_left_and_none_is_deleted_that_is_in_use(simulate: Simulate) -> None:
    simulate(Machines, seeds=15)


def test_a_crash_between_the_clouds_deletion_and_the_finalizers_removal_is_survived(
    simulate: Simulate,
) -> None:
    simulate(Crashing, seeds=15)


def test_the_judges_find_an_instance_that_is_deleted_while_in_use() -> None:
    class Hasty(Machines):
        @override
        async def play(self, world: SimulatedWorld) -> None:
            await self.start(world, "shop-1", "shop")
            await self.region.delete_instance("i-00000001")

        @override
        def judges(self) -> Sequence[Judge]:
            return [NoneInUse(self.region)]

    with pytest.raises(SimulationFailed, match="in use"):
        simulate(Hasty, seed=0, attempts=0)


def test_the_judges_find_an_instance_that_is_left() -> None:
    class Forgetful(Machines):
        @override
        async def play(self, world: SimulatedWorld) -> None:
            self.region.cloud.launch("nobody's")
            await super().play(world)

    with pytest.raises(SimulationFailed, match="nobody's"):
        simulate(Forgetful, seed=0, attempts=0)

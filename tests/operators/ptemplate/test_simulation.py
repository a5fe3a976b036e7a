"""Crashes, faults and lost leases at every step: Ptemplates converge, and take nothing from each other."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from templating import condition, ptemplate
from windlass.api import Key, ObjectMeta
from windlass.codegen import custom_resource_definitions
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.apps.v1 import DaemonSet, DaemonSetStatus
from windlass.kinds.core.v1 import Node, Secret
from windlass.operators.ptemplate import AliasPtemplate, Ptemplate, add_to
from windlass.operators.ptemplate.desired import consumer_name
from windlass.operators.ptemplate.kmm import Module
from windlass.operators.ptemplate.simulator import ModuleSimulator
from windlass.reconcile import Context, Reconciler, Result, Watch
from windlass.testing import Scenario

if TYPE_CHECKING:
    from windlass.api import Resource
    from windlass.manager import Manager
    from windlass.testing import Simulate, SimulatedWorld

pytestmark = [pytest.mark.simulation, pytest.mark.timeout(180)]

LABEL = {"node-role.kubernetes.io/worker": "worker"}


class Rollouts(Reconciler[DaemonSet]):
    """Has every pod of a DaemonSet ready at once, as far as its status tells."""

    reads = (Watch(Node, to=lambda _: [Key("default", f"{name}-consumer") for name in "abc"]),)

    @override
    async def reconcile(self, resource: DaemonSet, ctx: Context) -> Result[DaemonSetStatus]:
        pod = resource.spec.template.spec
        assert pod
        count = sum(
            pod.node_selector.items() <= node.metadata.labels.items() for node in await ctx.list(Node)
        )
        status = DaemonSetStatus(
            current_number_scheduled=count,
            desired_number_scheduled=count,
            number_misscheduled=0,
            number_ready=count,
            updated_number_scheduled=count,
            observed_generation=resource.metadata.generation,
        )
        return Result.ready(status)


class Devices(Scenario):
    """Ptemplates that come before KMM, change, meet and go."""

    kinds = (Ptemplate, AliasPtemplate)

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        add_to(manager)
        manager.add(ModuleSimulator())
        manager.add(Rollouts())

    @override
    async def play(self, world: SimulatedWorld) -> None:
        for name in ("one", "two"):
            await world.create(Node(metadata=ObjectMeta(name=name, labels=LABEL)))
        await world.create(ptemplate("a"))
        await world.create(ptemplate("b", imagePullSecret={"name": "s"}))
        await world.pause(timedelta(seconds=5))
        (definition,) = custom_resource_definitions([Module])
        await world.create(CustomResourceDefinition.from_wire(definition))
        await world.create(AliasPtemplate(metadata=ObjectMeta(name="b"), spec=ptemplate(maxdev=3).spec))
        await world.pause(timedelta(seconds=15))
        await world.create(ptemplate("c"))
        await world.create(AliasPtemplate(metadata=ObjectMeta(name="c"), spec=ptemplate(maxdev=4).spec))
        await world.change(Ptemplate, "a", {"spec": {"maxdev": 7, "consumer": "quay.io/example/c:2"}})
        await world.create(Secret(metadata=ObjectMeta(name="s", namespace="default")))
        await world.pause(timedelta(seconds=15))
        await world.create(AliasPtemplate(metadata=ObjectMeta(name="a"), spec=ptemplate(maxdev=9).spec))
        await world.pause(timedelta(seconds=10))
        await world.delete(Ptemplate, "a")

    @override
    async def meddle(self, world: SimulatedWorld, number: int) -> None:
        if world.get(DaemonSet, "a-consumer") is not None:
            await world.delete(DaemonSet, "a-consumer")
        if number % 2 and world.get(Module, "a") is not None:
            await world.change(Module, "a", {"spec": {"selector": {"elsewhere": "yes"}}})

    @override
    def is_true(self, resource: Any, world: SimulatedWorld) -> dict[str, bool]:
        name, uid = resource.metadata.name, resource.metadata.uid
        module, consumers = world.get(Module, name), world.get(DaemonSet, consumer_name(name))
        return {
            "its Module": module is not None
            and owners(module) == [uid]
            and f"max_dev={resource.spec.maxdev}" in parameters(module)
            and module.spec.selector == resource.spec.selector,
            "its consumers": consumers is not None
            and owners(consumers) == [uid]
            and image(consumers) == resource.spec.consumer_image
            and consumers.status.number_ready == 2,
        }

    @override
    def may_wait(self, resource: Any, world: SimulatedWorld) -> bool:
        said = condition(resource, "Ready")
        rival = AliasPtemplate if type(resource) is Ptemplate else Ptemplate
        other, module = world.get(rival, resource.metadata.name), world.get(Module, resource.metadata.name)
        has_it = other is not None and module is not None and owners(module) == [other.metadata.uid]
        return has_it and said is not None and said.reason == "Conflict"


def owners(resource: Resource) -> list[str]:
    """Whose an object is."""
    return [each.uid for each in resource.metadata.owner_references]


def parameters(module: Module) -> list[str]:
    """Those that the module is loaded with."""
    return module.spec.module_loader.container.modprobe.parameters if module.spec.module_loader else []


def image(daemon_set: DaemonSet) -> str:
    """The image of the consumers."""
    pod = daemon_set.spec.template.spec
    return (pod.containers[0].image or "") if pod else ""


def test_ptemplates_survive(simulate: Simulate) -> None:
    simulate(Devices, seeds=15)

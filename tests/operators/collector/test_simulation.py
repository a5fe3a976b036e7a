"""Crashes, faults and lost leases at every step: Collectors converge, and nothing is left behind."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from tenants import MONITORING, collector, grant, standing_in
from windlass.api import ObjectMeta
from windlass.helm.chart import Asks, Chart
from windlass.helm.source import Charts
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.rbac.v1 import ClusterRole, PolicyRule
from windlass.operators.collector import Collector, CollectorController, CollectorOptions, Tenancy
from windlass.operators.collector.desired import release_of
from windlass.testing import Scenario
from windlass.testing.helm import StandInHelm

if TYPE_CHECKING:
    from windlass.helm.source import Wanted
    from windlass.manager import Manager
    from windlass.testing import Simulate, SimulatedWorld
    from windlass.testing.simulation.judge import Version

pytestmark = pytest.mark.simulation

TENANT = "tenant"
CHART = Chart(
    path=Path("collector"),
    name="collector",
    version="0.1.0",
    digest="0" * 64,
    asks=Asks(api_versions=frozenset({MONITORING})),
)


class OneChart(Charts):
    """The chart that ships, without a disk."""

    @override
    async def fetch(self, wanted: Wanted) -> Chart:
        return replace(CHART, name=wanted.name)


class Tenants(Scenario):
    """Collectors that come, change, move, meet and go."""

    kinds = (Collector,)

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        helm = StandInHelm(manager.client, {"collector": standing_in}, clock=manager.clock)
        tenancy = Tenancy(namespaces={"default": ("acme", "globex")}, namespace_role=TENANT)
        manager.add(CollectorController(helm, CollectorOptions(wait=None, tenancy=tenancy), OneChart()))

    @override
    async def play(self, world: SimulatedWorld) -> None:
        rule = PolicyRule(
            api_groups=["", "apps"], resources=["secrets", "services", "deployments"], verbs=["*"]
        )
        await world.create(ClusterRole(metadata=ObjectMeta(name=TENANT), rules=[rule]))
        await grant(world.client, "default", role=TENANT)
        await world.create(collector("amp", "acme"))
        await world.create(collector("okta", "default", collector={"name": "okta"}))
        await world.pause(timedelta(seconds=10))
        await world.change(Collector, "amp", {"spec": {"values": {"replicaCount": 2}}})
        await world.create(collector("late", "acme", values={"replicaCount": 5}))
        await world.pause(timedelta(seconds=10))
        await world.change(Collector, "amp", {"spec": {"tenant": {"instance": "second"}}})
        await world.pause(timedelta(seconds=5))
        await world.change(Collector, "okta", {"spec": {"tenant": {"reference": "globex"}}})
        await world.pause(timedelta(seconds=10))
        await world.delete(Collector, "okta")

    @override
    def is_true(self, resource: Any, world: SimulatedWorld) -> bool:
        release = release_of(resource.spec)
        live = world.get(Deployment, release.name, release.namespace)
        wanted = resource.spec.values.get("replicaCount", 1)
        return live is not None and live.spec.replicas == wanted

    @override
    def may_stay(self, made: Version) -> bool:
        return made.resource.endswith(("namespaces", "rolebindings"))


def test_collectors_survive(simulate: Simulate) -> None:
    simulate(Tenants, seeds=15)

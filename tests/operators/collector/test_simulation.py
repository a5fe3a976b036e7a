"""Crashes, faults and lost leases at every step: Collectors converge, and nothing is left behind."""

from __future__ import annotations

import asyncio
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
from windlass.operators.collector import (
    ClusterSource,
    Collector,
    CollectorController,
    CollectorOptions,
    Tenancy,
)
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


class SlowCharts(Charts):
    """The same chart from elsewhere, each fetch of which takes three seconds."""

    def __init__(self) -> None:
        self._fetched: dict[Wanted, Chart] = {}

    @override
    def known(self, wanted: Wanted) -> Chart | None:
        return self._fetched.get(wanted)

    @override
    async def fetch(self, wanted: Wanted) -> Chart:
        await asyncio.sleep(3)
        chart = self._fetched[replace(wanted, version=CHART.version)] = replace(CHART, name=wanted.name)
        return chart


class Tenants(Scenario):
    """Collectors that come, change, move, meet and go."""

    kinds = (Collector,)
    source = ClusterSource()

    def charts(self) -> Charts:
        """Where the charts come from."""
        return OneChart()

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        parts = dict.fromkeys(("collector", "cisco-amp-collector", "okta"), standing_in)
        helm = StandInHelm(manager.client, parts, clock=manager.clock)
        tenancy = Tenancy(namespaces={"default": ("acme", "globex")}, namespace_role=TENANT)
        options = CollectorOptions(wait=None, tenancy=tenancy, otherwise=self.source)
        manager.add(CollectorController(helm, options, self.charts()))

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


class TenantsElsewhere(Tenants):
    """The same with charts that are fetched in the background, also while the operator crashes."""

    source = ClusterSource(url="https://charts.example.com")

    @override
    def charts(self) -> Charts:
        return SlowCharts()


def test_collectors_survive(simulate: Simulate) -> None:
    simulate(Tenants, seeds=15)


def test_collectors_whose_charts_are_fetched_survive(simulate: Simulate) -> None:
    simulate(TenantsElsewhere, seeds=15)

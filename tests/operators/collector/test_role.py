"""What the operator may do: enough, and not more."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from monitored import ServiceMonitor, monitoring
from tenants import collector, unhurried
from windlass.client import Client, MergePatch
from windlass.codegen import operator_rules
from windlass.helm import Chart, HelmProgram
from windlass.helm.rbac import chart_rules
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Namespace, Service
from windlass.operators.collector import ClusterSource, Collector, CollectorController
from windlass.operators.collector.options import SHIPPED, shipped_charts
from windlass.reconcile import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tenants import Collecting
    from windlass.cluster import Cluster

NEEDED_ELSEWHERE = (  # here the tenant's namespace is there and stays, and nothing has to be replaced
    Rule.on(Namespace, "create", "delete"),
    *(Rule.on(kind, "update") for kind in (Deployment, Service, ServiceMonitor)),
)


def grants(rules: Iterable[Rule]) -> set[tuple[str, str, str]]:
    """Each verb on each resource, events aside: those are everybody's."""
    return {
        (group, resource, verb)
        for rule in rules
        for group, resource, verb in product(rule.groups, rule.resources, rule.verbs)
        if resource != "events"
    }


async def test_its_rules_cover_its_chart_whatever_the_values(helm: Path, api_server: Cluster) -> None:
    program = HelmProgram(Client(api_server.transport()), program=helm)
    chart = Chart.read(shipped_charts() / SHIPPED)
    needed = await chart_rules(chart, program, overrides=("image.repository=x",))

    assert grants(needed.rules) <= grants(CollectorController.rules)


def test_the_generated_role_is_that_of_the_running_operator(api_server: Cluster) -> None:
    running = CollectorController(HelmProgram(Client(api_server.transport())))

    assert grants(operator_rules([CollectorController])) == grants(operator_rules([running]))


@pytest.mark.xdist_group("monitoring")  # its kind comes and goes, for the whole cluster
async def test_it_lacks_no_grant_and_wastes_none(collecting: Collecting) -> None:
    options = unhurried(otherwise=ClusterSource())
    async with collecting(options, manager=None, least_privilege=True) as trial:
        async with monitoring(trial.client):
            await trial.client.create(collector("amp", trial.namespace))
            await trial.ready(Collector, "amp")
            for change in ({"values": {"replicaCount": 2}}, {"tenant": {"instance": "second"}}):
                await trial.client.patch(Collector, "amp", MergePatch({"spec": change}))
                await trial.ready(Collector, "amp")
            await trial.client.delete(Collector, "amp")
            await trial.gone(Collector, "amp")

        assert trial.granted
        trial.granted.check(except_for=NEEDED_ELSEWHERE)

"""What the operator may do: enough, and not more."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from itertools import product
from typing import TYPE_CHECKING

import pytest

from monitored import monitoring
from tenants import collector, serving, unhurried
from windlass.api import read_yaml
from windlass.client import Client, MergePatch
from windlass.codegen import operator_rules
from windlass.helm import Chart, HelmProgram
from windlass.helm.rbac import RuleOptions, chart_rules
from windlass.kinds.core.v1 import ServiceAccount
from windlass.kinds.rbac.v1 import RoleBinding
from windlass.manager import Manager, ManagerOptions
from windlass.operators.collector import (
    ClusterSource,
    Collector,
    CollectorController,
    CollectorOptions,
    Tenancy,
)
from windlass.operators.collector.options import SHIPPED, shipped_charts
from windlass.operators.collector.rules import rules_for
from windlass.reconcile import READ, Rule
from windlass.testing import Starter, least_privilege

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tenants import Collecting
    from windlass.api import Json
    from windlass.cluster import Cluster

SELF = CollectorOptions(default_service_account="")


READS_OF_ALL = {("apiextensions.k8s.io", "customresourcedefinitions", verb) for verb in READ}


def samples() -> list[Json]:
    """Every object of the samples."""
    folder = files("windlass.operators.collector") / "samples"
    return [
        each
        for path in folder.iterdir()
        if path.name.endswith(".yaml")
        for each in read_yaml(path.read_bytes())
    ]


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
    needed = await chart_rules(chart, program, RuleOptions(overrides=("image.repository=x",)))

    assert grants(needed.rules) <= grants(rules_for(SELF))


async def test_the_role_of_the_samples_covers_the_chart_too(helm: Path, api_server: Cluster) -> None:
    program = HelmProgram(Client(api_server.transport()), program=helm)
    chart = Chart.read(shipped_charts() / SHIPPED)
    needed = await chart_rules(chart, program, RuleOptions(overrides=("image.repository=x",)))
    roles = [each for each in samples() if each["kind"] == "Role"]

    assert len(roles) == 2
    for role in roles:
        given = [
            Rule(
                groups=tuple(each["apiGroups"]),
                resources=tuple(each["resources"]),
                verbs=tuple(each["verbs"]),
            )
            for each in role["rules"]
        ]
        assert grants(needed.rules) - READS_OF_ALL <= grants(given)


def test_the_operator_writes_nothing_that_a_chart_makes() -> None:
    written = {
        (resource, verb)
        for _, resource, verb in grants(CollectorController.rules)
        if verb not in (*READ, "impersonate")
    }

    assert written == set()


def test_the_generated_role_is_that_of_the_running_operator(api_server: Cluster) -> None:
    running = CollectorController(HelmProgram(Client(api_server.transport())))

    assert grants(operator_rules([CollectorController])) == grants(operator_rules([running]))


@pytest.mark.xdist_group("monitoring")  # its kind comes and goes, for the whole cluster
async def test_it_lacks_no_grant_and_wastes_none(collecting: Collecting) -> None:
    options = unhurried(otherwise=ClusterSource(), tenancy=Tenancy())
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
        needed_elsewhere = replace(Rule.on(ServiceAccount, "get"), namespace=trial.namespace)
        trial.granted.check(except_for=[needed_elsewhere])  # when a release cannot be removed


async def test_to_create_namespaces_it_has_what_that_takes(
    collecting: Collecting, api_server: Cluster
) -> None:
    options = unhurried(delete_namespaces=True)
    async with Starter(api_server)() as bare:
        rules = operator_rules([CollectorController(collecting.helm(Manager(bare.client)), options)])
        async with least_privilege(api_server, rules) as granted:
            manager = Manager(granted.client, ManagerOptions(name="collector-operator"))
            async with serving(bare, collecting, manager, options):
                tenant = f"{bare.namespace}-tenant"
                await bare.client.create(collector("amp", tenant))
                await bare.ready(Collector, "amp")
                name = f"collector:{bare.namespace}:default"
                binding = await bare.client.get(RoleBinding, name, tenant)
                await bare.client.delete(Collector, "amp")
                await bare.gone(Collector, "amp")

    assert binding.role_ref.name == "admin"
    assert granted.missing == []
    assert granted.unused == [  # the server asks for `bind` while it validates a RoleBinding
        "bind clusterroles.rbac.authorization.k8s.io admin",
        "get, list and watch serviceaccounts",
        "get, list and watch servicemonitors.monitoring.coreos.com",
    ]


async def test_where_it_deploys_as_itself_it_may_write(collecting: Collecting) -> None:
    options = unhurried(default_service_account="", tenancy=Tenancy())
    async with collecting(options, manager=None, least_privilege=True) as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        await trial.client.delete(Collector, "amp")
        await trial.gone(Collector, "amp")

        assert trial.granted
        assert trial.granted.missing == []

"""What the operator may do."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from windlass.client import Client
from windlass.codegen import operator_rules
from windlass.helm import Chart, HelmProgram
from windlass.helm.rbac import chart_rules
from windlass.operators.minimart import CHART, MinimartController

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from windlass.cluster import Cluster
    from windlass.reconcile import Rule


def grants(rules: Iterable[Rule]) -> set[tuple[str, str, str]]:
    """Each verb on each resource, events aside: those are everybody's."""
    return {
        (group, resource, verb)
        for rule in rules
        for group, resource, verb in product(rule.groups, rule.resources, rule.verbs)
        if resource != "events"
    }


async def test_its_rules_are_those_of_its_chart_whatever_the_values(helm: Path, api_server: Cluster) -> None:
    program = HelmProgram(Client(api_server.transport()), program=helm)
    needed = grants((await chart_rules(Chart.read(CHART), program)).rules)
    own = ("charts.samutup.com", "minimarts/finalizers", "update")

    assert grants(MinimartController.rules) == needed | {own}


def test_the_generated_role_is_that_of_the_running_operator(api_server: Cluster) -> None:
    running = MinimartController(HelmProgram(Client(api_server.transport())))

    assert grants(operator_rules([MinimartController])) == grants(operator_rules([running]))

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.api import Untyped
from windlass.codegen import Rule, operator_rules
from windlass.helm.chart import Chart
from windlass.helm.controller import HelmController
from windlass.helm.rbac import ChartRules, chart_rules
from windlass.helm.values import assignments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.helm.engine import Helm
    from windlass.helm.watches import HelmWatch


async def watch_rules(watches: Sequence[HelmWatch], helm: Helm) -> ChartRules:
    """What the operator of these entries must be allowed to do, and where that is not certain.

    The lease of a leader election is not in it.

    Raises:
        ChartError: a chart cannot be read.
        HelmError: a chart cannot be rendered in any way.
        ToolError: there is no `helm` program.
    """
    controllers, notes = [], []
    for watch in watches:
        kind = Untyped.of(watch.guess)
        found = await chart_rules(
            Chart.read(watch.chart), helm, overrides=assignments(_fixed(watch.overrides))
        )
        rules = (*found.rules, Rule.on(kind, "patch", subresource="status"), _blocking(kind))
        controllers.append(HelmController(of=kind, chart=watch.chart, helm=helm, rules=rules))
        notes += [f"{watch.kind}: {note}" for note in found.notes]
    return ChartRules(tuple(operator_rules(controllers)), tuple(notes))


def _blocking(kind: type[Untyped]) -> Rule:
    """For servers that check who may block the deletion of an owner."""
    return Rule.on(kind, "update", subresource="finalizers")


def _fixed(overrides: Mapping[str, str]) -> dict[str, str]:
    """Those that are the same wherever the operator runs."""
    return {path: value for path, value in overrides.items() if "$" not in value and "{{" not in value}

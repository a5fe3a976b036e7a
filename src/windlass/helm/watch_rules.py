from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from windlass.api import Untyped
from windlass.codegen import READ, Rule, Setting, operator_rules
from windlass.errors import ChartError
from windlass.helm.chart import Chart
from windlass.helm.controller import HelmController
from windlass.helm.rbac import ChartRules, RuleOptions, chart_rules
from windlass.helm.values import assignments
from windlass.helm.variant import merged
from windlass.kinds.core.v1 import ServiceAccount

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.api import Json
    from windlass.helm.engine import Helm
    from windlass.helm.watches import HelmWatch


async def watch_rules(
    watches: Sequence[HelmWatch],
    helm: Helm,
    options: RuleOptions | None = None,
    values: Mapping[str, Json] | None = None,
) -> ChartRules:
    """Find the permissions that the operator of these entries needs.

    `values` are for the charts of single kinds, over those of `options`. A chart that does not render does
    not stop the others: a note says so, and if nothing is known of its objects, `unknown` names its kind.
    The lease of a leader election is not included.

    Raises:
        ToolError: there is no `helm` program.
    """
    options = options or RuleOptions()
    controllers, notes, unknown = [], [], []
    for watch in watches:
        kind = _kind(watch, options)
        entry = replace(options, values=merged(options.values, (values or {}).get(watch.kind, {})))
        found = await _entry_rules(watch, helm, entry)
        made = _acting(found.rules) if watch.service_account else (*found.rules, _blocking(kind))
        rules = (*made, Rule.on(kind, "patch", subresource="status"))
        controllers.append(HelmController(of=kind, chart=watch.chart, helm=helm, rules=rules))
        notes += [f"{watch.kind}: {note}" for note in (*_assumed(watch, options), *found.notes)]
        unknown += [watch.kind] if found.unknown else []
    setting = Setting(namespaces=options.namespaces)
    return ChartRules(tuple(operator_rules(controllers, setting)), tuple(notes), tuple(unknown))


async def _entry_rules(watch: HelmWatch, helm: Helm, options: RuleOptions) -> ChartRules:
    overrides = assignments(_fixed(watch.overrides))
    try:
        return await chart_rules(Chart.read(watch.chart), helm, replace(options, overrides=overrides))
    except ChartError as error:
        return ChartRules((), (f"{error}; no rules for its objects",), (watch.kind,))


def _kind(watch: HelmWatch, options: RuleOptions) -> type[Untyped]:
    """Return the kind of an entry as the cluster serves it, or as it most likely is."""
    names = (watch.group, watch.version, watch.kind)
    served = (each for each in options.served if (each.group, each.version, each.name) == names)
    return Untyped.of(next(served, watch.guess))


def _assumed(watch: HelmWatch, options: RuleOptions) -> Iterator[str]:
    if _kind(watch, options).__kind__ not in options.served:
        why = "the cluster does not serve it" if options.served else "no cluster was asked"
        yield f"assumed to be the namespaced resource {watch.guess.resource}, since {why}"


def _acting(rules: Sequence[Rule]) -> Sequence[Rule]:
    """What is left to the operator where a ServiceAccount deploys: to act as that, and to read for drift."""
    reads = [
        replace(rule, verbs=tuple(verb for verb in rule.verbs if verb in READ))
        for rule in rules
        if rule.resources and set(rule.verbs) & set(READ)
    ]
    return (*reads, Rule.on(ServiceAccount, "impersonate"))


def _blocking(kind: type[Untyped]) -> Rule:
    """For servers that check who may block the deletion of an owner."""
    return Rule.on(kind, "update", subresource="finalizers")


def _fixed(overrides: Mapping[str, str]) -> dict[str, str]:
    """Return the overrides that do not depend on where the operator runs."""
    return {path: value for path, value in overrides.items() if "$" not in value and "{{" not in value}

"""What an operator must be allowed to do for a chart, found by rendering it in many ways."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from windlass.api import Key, read_yaml
from windlass.errors import ConfigError, HelmError
from windlass.helm.blueprint import Blueprint
from windlass.helm.capabilities import Capabilities
from windlass.helm.chart_files import read_files, texts
from windlass.helm.grants import DEPLOY, Grants, kind_of
from windlass.helm.mentions import Mentioned, kinds, lookups, templates
from windlass.helm.resource_name import ResourceNames
from windlass.helm.variant import variants
from windlass.reconcile import READ, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from windlass.api import Json
    from windlass.helm.chart import Chart
    from windlass.helm.engine import Helm
    from windlass.helm.variant import Variant

    Rendered = Sequence[Json] | HelmError

_MOST: Final = 40
_AT_ONCE: Final = 2
_KUBE_VERSION: Final = "v1.36.0"
_RELEASE: Final = Key("default", "release")
_DEFINITION: Final = Mentioned("apiextensions.k8s.io/v1", "CustomResourceDefinition")
_RECORDS: Final = Rule(groups=("",), resources=("secrets",), verbs=DEPLOY)
_EVENTS: Final = Rule(groups=("", "events.k8s.io"), resources=("events",), verbs=("create", "patch"))


@dataclass(frozen=True)
class ChartRules:
    """What an operator must be allowed to do for a chart, and for people, where that is not certain."""

    rules: tuple[Rule, ...]
    notes: tuple[str, ...] = ()


async def chart_rules(
    chart: Chart, helm: Helm, *, release: Key = _RELEASE, overrides: Sequence[str] = ()
) -> ChartRules:
    """What an operator needs for a chart, its hooks and its definitions, whichever values it is given.

    The chart is rendered over the branches of its values, at most 40 times, two at a time; where the
    templates write out kinds that no rendering reached, those are allowed too. What is in the chart's own
    roles is included, since nobody may grant what they lack; `bind` and `escalate` never are.

    Raises:
        ChartError: the chart cannot be read.
        HelmError: it cannot be rendered in any way.
    """
    files = dict(texts(read_files(chart.path), chart.path))
    found = variants(files)
    capabilities = Capabilities(kube_version=_KUBE_VERSION)
    blueprint = Blueprint(release=release, chart=chart, overrides=tuple(overrides), capabilities=capabilities)
    renders = await _render_all(helm, blueprint, found[:_MOST])
    objects = [obj for _, made in renders if not isinstance(made, HelmError) for obj in made]
    rendered = [obj for obj in objects if obj.get("kind") == _DEFINITION.kind]
    shipped = list(_definitions(files))
    grants = Grants(ResourceNames([*shipped, *rendered]))
    grants.allow(_RECORDS, _EVENTS)
    grants.deploy([*shipped, *objects])
    if chart.asks.api_versions != frozenset():
        grants.need(_DEFINITION, READ)  # to see when what it asks for is served
    _add_mentioned(grants, files, {kind_of(obj) for obj in objects})
    grants.note(*_failures(renders))
    if len(found) > _MOST:
        grants.note(f"of {len(found)} ways to render it, {_MOST} were tried")
    return ChartRules(grants.rules, grants.notes)


async def _render_all(
    helm: Helm, blueprint: Blueprint, found: Sequence[Variant]
) -> list[tuple[Variant, Rendered]]:
    """Render variants; those that fail by something that fails alone once more without that."""
    renders = await _render_each(helm, blueprint, found)
    failed = [variant for variant, made in renders if isinstance(made, HelmError)]
    if len(failed) == len(found):
        raise next(made for _, made in renders if isinstance(made, HelmError))
    alone = [variant for variant in failed if len(variant.settings) == 1]
    again = [variant.without(alone) for variant in failed if len(variant.settings) > 1 and alone]
    return renders + await _render_each(helm, blueprint, again)


async def _render_each(
    helm: Helm, blueprint: Blueprint, found: Iterable[Variant]
) -> list[tuple[Variant, Rendered]]:
    free = asyncio.Semaphore(_AT_ONCE)

    async def render(variant: Variant) -> Rendered:
        varied = _blueprint(blueprint, variant)
        async with free:
            try:
                return await helm.render(varied, is_upgrade=variant.is_upgrade, hooks=True)
            except HelmError as error:
                return error

    async with asyncio.TaskGroup() as group:
        tasks = [(variant, group.create_task(render(variant))) for variant in found]
    return [(variant, task.result()) for variant, task in tasks]


def _blueprint(blueprint: Blueprint, variant: Variant) -> Blueprint:
    """A variant of a blueprint whose chart asks for what it is given alone, so that no cluster is asked."""
    asks = replace(blueprint.chart.asks, api_versions=variant.served, lookup=False)
    capabilities = replace(blueprint.capabilities, api_versions=variant.served)
    chart = replace(blueprint.chart, asks=asks)
    return replace(blueprint, chart=chart, values=variant.values, capabilities=capabilities)


def _failures(renders: Iterable[tuple[Variant, Rendered]]) -> Iterator[str]:
    for variant, made in renders:
        if isinstance(made, HelmError):
            yield f"with {variant.name}, it cannot be rendered: {str(made).strip().splitlines()[0]}"


def _add_mentioned(grants: Grants, files: Mapping[str, str], rendered: set[Mentioned]) -> None:
    """Allow what the templates look at, and kinds that they write out, but no rendering had."""
    reached = {(each.group, each.kind) for each in rendered}
    names = {each.kind for each in rendered}
    for _, text in templates(files):
        for each in lookups(text):
            grants.need(each, ("get", "list"))
        for each in kinds(text):
            is_reached = (each.group, each.kind) in reached if each.api_version else each.kind in names
            if is_reached or each.kind.endswith("List"):
                continue
            if grants.need(each):
                grants.note(f"{each} is allowed, since a template has it, but no rendering had it")
            else:
                grants.note(f"{each} is in a template, of a group that is not written there: not allowed")


def _definitions(files: Mapping[str, str]) -> Iterator[Json]:
    for name, text in files.items():
        if name.startswith("crds/") or "/crds/" in name:
            try:
                found = read_yaml(text, name)
            except ConfigError:
                continue  # no YAML: a README, say
            yield from (obj for obj in found if isinstance(obj, dict) and kind_of(obj) == _DEFINITION)

"""The permissions that an operator needs for a chart, found by rendering it in many ways."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from windlass.api import Key, read_yaml
from windlass.errors import ConfigError, HelmError
from windlass.helm.blueprint import Blueprint
from windlass.helm.capabilities import Capabilities
from windlass.helm.chart_files import read_files, texts
from windlass.helm.grants import DEPLOY, RELEASE_NAMESPACE, Grants, kind_of
from windlass.helm.mentions import Mentioned, kinds, lookups, templates
from windlass.helm.resource_name import ResourceNames
from windlass.helm.variant import merged, required_values, variants
from windlass.reconcile import READ, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from windlass.api import Json, Kind
    from windlass.helm.chart import Chart
    from windlass.helm.engine import Helm
    from windlass.helm.variant import Variant

    Rendered = Sequence[Json] | HelmError
    Renders = list[tuple[Variant, Rendered]]

_MOST: Final = 40
_AT_ONCE: Final = 2
_LONGEST: Final = 200
_MOST_NAMED: Final = 3
_KUBE_VERSION: Final = "v1.36.0"
_RELEASE: Final = Key(RELEASE_NAMESPACE, "release")
_DEFINITION: Final = Mentioned("apiextensions.k8s.io/v1", "CustomResourceDefinition")
_RECORDS: Final = Rule(groups=("",), resources=("secrets",), verbs=DEPLOY)
_EVENTS: Final = Rule(
    groups=("", "events.k8s.io"),
    resources=("events",),
    verbs=("create", "patch"),
)


@dataclass(frozen=True, kw_only=True)
class RuleOptions:
    """How rules are found.

    `values`: hold in every rendering; of all other values the branches are tried.
    `overrides`: assignments in the grammar of `helm --set-string`, which win over the values.
    `namespaces`: the namespaces of the releases; rules for namespaced kinds then hold there alone.
    `served`: the kinds that a cluster serves, which decide about plurals and scopes.
    """

    values: Json = field(default_factory=dict)
    overrides: tuple[str, ...] = ()
    namespaces: tuple[str, ...] = ()
    served: tuple[Kind, ...] = ()


@dataclass(frozen=True)
class ChartRules:
    """Permissions that an operator needs for charts.

    `notes` say where that is not certain. `unknown` names the charts, or the kinds that they serve, of whose
    objects nothing could be found out.
    """

    rules: tuple[Rule, ...]
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


async def chart_rules(chart: Chart, helm: Helm, options: RuleOptions | None = None) -> ChartRules:
    """Find the permissions that a chart, its hooks and its CRDs need, whichever values an object has.

    The chart is rendered over the branches of its values, at most 80 times, two at a time. Values that its
    templates require are filled in. Kinds that the text of the templates names are allowed too, even if no
    rendering has them; if nothing renders, they are all that is known. The rules of the chart's own roles are
    included, since creating a role needs the permissions in it, except for `bind` and `escalate`.

    Raises:
        ChartError: the chart cannot be read.
        ToolError: there is no `helm` program.
    """
    options = options or RuleOptions()
    files = dict(texts(read_files(chart.path), chart.path))
    found = variants(files, options.values)
    blueprint = Blueprint(
        release=_RELEASE,
        chart=chart,
        values=required_values(files),
        overrides=options.overrides,
        capabilities=Capabilities(kube_version=_KUBE_VERSION),
    )
    renders = await _render_all(_Renderer(helm, blueprint, options.values), found[:_MOST])
    made = [objects for _, objects in renders if not isinstance(objects, HelmError)]
    grants = _grants(chart, files, [obj for objects in made for obj in objects], options)
    mentioned = _add_mentioned(grants, files, {kind_of(obj) for objects in made for obj in objects})
    if made:
        grants.note(*mentioned, *_failures(renders))
    else:
        grants.note(_hopeless(renders, mentioned))
    if len(found) > _MOST:
        grants.note(f"of {len(found)} combinations of values, the first {_MOST} were rendered")
    unknown = () if made or mentioned else (chart.name,)
    return ChartRules(grants.rules(options.namespaces), grants.notes, unknown)


def _grants(chart: Chart, files: Mapping[str, str], objects: Sequence[Json], options: RuleOptions) -> Grants:
    shipped = list(_definitions(files))
    rendered = [obj for obj in objects if kind_of(obj) == _DEFINITION]
    grants = Grants(ResourceNames([*shipped, *rendered], options.served))
    grants.allow(_RECORDS, _EVENTS)
    grants.deploy([*shipped, *objects])
    if chart.asks.api_versions != frozenset():
        grants.need(_DEFINITION, READ)  # to see when what it asks for is served
    return grants


@dataclass(frozen=True)
class _Renderer:
    """Renders variants of a blueprint; `given` values win over those of a variant."""

    helm: Helm
    blueprint: Blueprint
    given: Json

    async def render_each(self, found: Iterable[Variant]) -> Renders:
        """Render variants, a few at a time; a failure takes the place of the objects."""
        free = asyncio.Semaphore(_AT_ONCE)

        async def render(variant: Variant) -> Rendered:
            async with free:
                try:
                    return await self.helm.render(
                        self._blueprint(variant), is_upgrade=variant.is_upgrade, hooks=True
                    )
                except HelmError as error:
                    return error

        async with asyncio.TaskGroup() as group:
            tasks = [(variant, group.create_task(render(variant))) for variant in found]
        return [(variant, task.result()) for variant, task in tasks]

    def _blueprint(self, variant: Variant) -> Blueprint:
        """Return the blueprint of a variant, whose chart asks for what it is given: no cluster is needed."""
        chart = self.blueprint.chart
        asks = replace(chart.asks, api_versions=variant.served, lookup=False)
        capabilities = replace(self.blueprint.capabilities, api_versions=variant.served)
        values = merged(merged(self.blueprint.values, variant.values), self.given)
        return replace(
            self.blueprint, chart=replace(chart, asks=asks), values=values, capabilities=capabilities
        )


async def _render_all(renderer: _Renderer, found: Sequence[Variant]) -> Renders:
    """Render variants; those that fail, once more with what they lack, or without what fails alone."""
    renders = await renderer.render_each(found)
    failed = [variant for variant, made in renders if isinstance(made, HelmError)]
    if not failed or len(failed) == len(found):
        return renders
    if found[0] in failed:  # the defaults do not render: take a variant that does for the base
        base = next(variant for variant, made in renders if not isinstance(made, HelmError))
        again = [each for variant in failed if not (each := variant.over(base)).equals(base)]
        kept = [each for each in renders if each[0] is found[0] or each[0] not in failed]
        return kept + await renderer.render_each(again)
    alone = [variant for variant in failed if len(variant.settings) == 1]
    again = [variant.without(alone) for variant in failed if len(variant.settings) > 1 and alone]
    return renders + await renderer.render_each(again)


def _failures(renders: Renders) -> Iterator[str]:
    """Yield a note for each reason why variants do not render."""
    reasons: dict[str, list[str]] = {}
    for variant, made in renders:
        if isinstance(made, HelmError):
            reasons.setdefault(_reason(made), []).append(variant.name)
    for reason, names in reasons.items():
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        yield f"does not render with {'; '.join(names[:_MOST_NAMED])}{more}: {reason}"


def _hopeless(renders: Renders, mentioned: Sequence[str]) -> str:
    reason = next(_reason(made) for _, made in renders if isinstance(made, HelmError))
    known = "the rules cover the kinds that its templates name" if mentioned else "no rules for its objects"
    return f"does not render with any values that were tried ({reason}); {known}. Give values that render"


def _reason(error: HelmError) -> str:
    return " ".join(str(error).split())[:_LONGEST]


def _add_mentioned(grants: Grants, files: Mapping[str, str], rendered: set[Mentioned]) -> list[str]:
    """Allow what templates look up, and the kinds that they name, but no rendering has; return notes."""
    reached = {(each.group, each.kind) for each in rendered}
    names = {each.kind for each in rendered}
    notes: dict[str, None] = {}
    for _, text in templates(files):
        for lookup in lookups(text):
            grants.look_up(lookup)
        for each in kinds(text):
            is_reached = (each.group, each.kind) in reached if each.api_version else each.kind in names
            if is_reached or each.kind.endswith("List"):
                continue
            if grants.need(each):
                notes[f"{each} is allowed, since a template names it, but no rendering has it"] = None
            else:
                grants.note(f"{each} is named by a template without its group: not allowed")
    return list(notes)


def _definitions(files: Mapping[str, str]) -> Iterator[Json]:
    for name, text in files.items():
        if name.startswith("crds/") or "/crds/" in name:
            try:
                found = read_yaml(text, name)
            except ConfigError:
                continue  # no YAML: a README, say
            yield from (obj for obj in found if isinstance(obj, dict) and kind_of(obj) == _DEFINITION)

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
from windlass.helm.variant import FILLER, filled_places, merged, refilled, required_values, variants
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
_INSTALL: Final = (*READ, "create", "patch")
"""What `helm` does with the definitions in `crds/`, which it never changes or deletes.

Helm 4 applies them, and lists and watches them until they are established; Helm 3 creates and gets them.
"""
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
    renderer = _Renderer(helm, blueprint, options.values)
    renders = await _render_all(renderer, found[:_MOST])
    fillers = await _from_fillers(renderer, renders, files)
    made = [
        [obj for obj in objects if kind_of(obj) not in fillers]
        for _, objects in renders
        if not isinstance(objects, HelmError)
    ]
    grants = _grants(chart, files, [obj for objects in made for obj in objects], options)
    mentioned = _add_mentioned(grants, files, {kind_of(obj) for objects in made for obj in objects})
    if made:
        grants.note(*mentioned, *_failures(renders))
    else:
        grants.note(_hopeless(chart, renders, mentioned))
    grants.note(*fillers.values())
    if len(found) > _MOST:
        grants.note(f"of {len(found)} combinations of values, the first {_MOST} were rendered")
    is_known = mentioned or (any(made) if fillers else made)
    unknown = () if is_known else (chart.name,)
    return ChartRules(grants.rules(options.namespaces), grants.notes, unknown)


def _grants(chart: Chart, files: Mapping[str, str], objects: Sequence[Json], options: RuleOptions) -> Grants:
    shipped = list(_definitions(files))
    rendered = [obj for obj in objects if kind_of(obj) == _DEFINITION]
    grants = Grants(ResourceNames([*shipped, *rendered], options.served))
    grants.allow(_RECORDS, _EVENTS)
    grants.deploy(objects)
    if shipped:
        grants.need(_DEFINITION, _INSTALL)
    if chart.asks.api_versions != frozenset():
        grants.need(_DEFINITION, READ)  # to see when what it asks for is served
    return grants


@dataclass(frozen=True)
class _Renderer:
    """Renders variants of a blueprint; `given` values win over those of a variant.

    If it `is_refilled`, values that a chart lacks are filled with something else.
    """

    helm: Helm
    blueprint: Blueprint
    given: Json
    is_refilled: bool = False

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
        return replace(
            self.blueprint,
            chart=replace(chart, asks=asks),
            values=self.values(variant),
            capabilities=capabilities,
        )

    def values(self, variant: Variant) -> Json:
        """Return the values of a variant."""
        own = merged(self.blueprint.values, variant.values)
        return merged(refilled(own) if self.is_refilled else own, self.given)


async def _from_fillers(
    renderer: _Renderer, renders: Renders, files: Mapping[str, str]
) -> dict[Mentioned, str]:
    """Find the kinds that follow from a value that was filled in, and what to say of each.

    They are not the chart's. Each kind in which the filler is found is rendered once with another one.
    """
    written = {each for _, text in templates(files) for each in kinds(text)}
    suspects: dict[Mentioned, Variant] = {}
    for variant, objects in renders:
        for each in () if isinstance(objects, HelmError) else map(kind_of, objects):
            if FILLER in f"{each.api_version} {each.kind}".lower() and each not in written:
                suspects.setdefault(each, variant)
    again = await replace(renderer, is_refilled=True).render_each(suspects.values())
    found = {}
    for (suspect, variant), (_, objects) in zip(suspects.items(), again, strict=True):
        if isinstance(objects, HelmError) or suspect not in map(kind_of, objects):
            found[suspect] = _filled(suspect, filled_places(renderer.values(variant)))
    return found


def _filled(kind: Mentioned, places: Sequence[str]) -> str:
    more = f" and {len(places) - _MOST_NAMED} more" if len(places) > _MOST_NAMED else ""
    return (
        f"{kind}: its kind or apiVersion depends on a value that the chart lacks, and that was filled in "
        f"({', '.join(places[:_MOST_NAMED])}{more}); not allowed. Give the value, by --set or --values"
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


def _hopeless(chart: Chart, renders: Renders, mentioned: Sequence[str]) -> str:
    reason = next(_reason(made) for _, made in renders if isinstance(made, HelmError))
    known = "the rules cover the kinds that its templates name" if mentioned else "no rules for its objects"
    return (
        f"chart {chart.name} does not render with any values that were tried ({reason}); {known}. Give "
        "values with which it renders, by --set or --values"
    )


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

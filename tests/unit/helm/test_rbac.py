"""An operator is allowed what its chart needs, whatever the values are."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from branching import write_chart
from windlass.api import Kind
from windlass.codegen import ALL, READ, Rule
from windlass.errors import HelmError
from windlass.helm import Helm
from windlass.helm.grants import RELEASE_NAMESPACE
from windlass.helm.rbac import ChartRules, RuleOptions, chart_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from windlass.api import Json, Key
    from windlass.client import Client, Impersonation
    from windlass.helm import Blueprint, Deploying, Retreat, Revision

    Template = Callable[[Blueprint], Sequence[Json]]

PROBE = {"Chart.yaml": "name: probe\nversion: 0.1.0"}


class Rendering(Helm):
    """Renders by a function, and counts how often, and how often at once."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.busy = self.most = self.rendered = 0

    @property
    @override
    def client(self) -> Client:
        raise NotImplementedError

    @override
    def acting_as(self, user: Impersonation) -> Rendering:
        raise NotImplementedError

    @override
    async def render(
        self, blueprint: Blueprint, *, is_upgrade: bool, lookup: bool = False, hooks: bool = False
    ) -> Sequence[Json]:
        assert hooks
        assert not lookup
        self.rendered += 1
        self.busy += 1
        self.most = max(self.most, self.busy)
        await asyncio.sleep(0)
        self.busy -= 1
        return self.template(blueprint)

    @override
    async def deploy(self, blueprint: Blueprint, how: Deploying) -> Revision:
        raise NotImplementedError

    @override
    async def rollback(self, release: Key, revision: int, how: Retreat) -> None:
        raise NotImplementedError

    @override
    async def uninstall(self, release: Key, how: Retreat) -> bool:
        raise NotImplementedError


def made(api_version: str, kind: str, annotations: Json | None = None, **more: Any) -> Json:
    metadata = {"name": "web", "annotations": annotations}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **more}


def allowed(found: ChartRules, resource: str) -> set[str]:
    """The verbs that are allowed on a resource."""
    name, _, group = resource.partition(".")
    return {
        verb for rule in found.rules if name in rule.resources and group in rule.groups for verb in rule.verbs
    }


async def rules_for(folder: Path, *objects: Json, **files: str) -> ChartRules:
    chart = write_chart(
        folder, PROBE | {name.replace("__", "/") + ".yaml": text for name, text in files.items()}
    )
    return await chart_rules(chart, Rendering(lambda _: objects))


async def test_all_is_allowed_on_the_kinds_of_objects_and_hooks_but_not_of_tests(tmp_path: Path) -> None:
    found = await rules_for(
        tmp_path,
        made("apps/v1", "Deployment"),
        made("batch/v1", "Job", {"helm.sh/hook": "pre-install,test"}),
        made("v1", "Pod", {"helm.sh/hook": "test"}),
    )

    assert allowed(found, "deployments.apps") == set(ALL)
    assert allowed(found, "jobs.batch") == set(ALL)
    assert allowed(found, "pods") == set()
    assert found.notes == ()


async def test_the_operator_keeps_records_and_tells_events(tmp_path: Path) -> None:
    found = await rules_for(tmp_path)

    assert allowed(found, "secrets") == set(ALL)
    assert allowed(found, "events") == {"create", "patch"}
    assert allowed(found, "customresourcedefinitions.apiextensions.k8s.io") == set()


async def test_definitions_are_watched_where_the_chart_asks_what_is_served(tmp_path: Path) -> None:
    found = await rules_for(tmp_path, templates__a='{{ .Capabilities.APIVersions.Has "a.io/v1" }}')

    assert allowed(found, "customresourcedefinitions.apiextensions.k8s.io") == set(READ)


async def test_what_the_chart_grants_is_allowed_but_not_to_bind_or_escalate(tmp_path: Path) -> None:
    rules = [
        {
            "apiGroups": ["x.io"],
            "resources": ["a"],
            "resourceNames": ["n"],
            "verbs": ["get", "bind", "escalate"],
        },
        {"apiGroups": [""], "resources": ["b"], "verbs": ["bind"]},
        {"nonResourceURLs": ["/metrics"], "verbs": ["get"]},
    ]
    found = await rules_for(tmp_path, made("rbac.authorization.k8s.io/v1", "Role", rules=rules))

    assert Rule(groups=("x.io",), resources=("a",), names=("n",), verbs=("get",)) in found.rules
    assert Rule(urls=("/metrics",), verbs=("get",)) in found.rules
    assert not any({"bind", "escalate"} & set(rule.verbs) for rule in found.rules)
    assert found.notes == (
        "Role web allows bind and escalate: not passed on",
        "Role web allows bind: not passed on",
    )


async def test_a_role_from_elsewhere_is_told(tmp_path: Path) -> None:
    ref = {"kind": "ClusterRole", "name": "view"}
    binding = made("rbac.authorization.k8s.io/v1", "RoleBinding", roleRef=ref)

    told = (await rules_for(tmp_path / "a", binding)).notes
    known = made("rbac.authorization.k8s.io/v1", "ClusterRole", aggregationRule={"x": []})
    known["metadata"]["name"] = "view"
    collects = (await rules_for(tmp_path / "b", binding, known)).notes

    assert told == (
        "RoleBinding web binds ClusterRole view, which is not in the chart: allow the operator what that allows",
    )
    assert collects == ("ClusterRole view aggregates other roles: allow the operator what those allow",)


async def test_logs_of_hooks_may_be_read_where_they_are_wanted(tmp_path: Path) -> None:
    hook = {"helm.sh/hook": "pre-install", "helm.sh/hook-output-log-policy": "hook-failed"}
    found = await rules_for(tmp_path, made("batch/v1", "Job", hook))

    assert allowed(found, "pods/log") == {"get"}


async def test_definitions_in_the_chart_say_how_their_kinds_are_called(tmp_path: Path) -> None:
    crd = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {group: farm.io, names: {kind: Sheep, plural: sheep}}}"
    found = await rules_for(tmp_path, made("farm.io/v1", "Sheep"), made("y.io/v1", "Fox"), crds__a=crd)

    assert allowed(found, "sheep.farm.io") == set(ALL)
    assert allowed(found, "foxes.y.io") == set(ALL)
    definitions = allowed(found, "customresourcedefinitions.apiextensions.k8s.io")
    assert definitions == {*READ, "create", "patch"}
    assert found.notes == (
        "Fox of y.io/v1: assumed to be the namespaced resource foxes.y.io, since its CRD is unknown",
    )


async def test_a_kind_that_no_rendering_had_is_allowed_and_told(tmp_path: Path) -> None:
    text = "apiVersion: batch/v1\nkind: Job\n---\nkind: Service\n---\nkind: Unheard\n---\napiVersion: v1\nkind: Pod"
    found = await rules_for(tmp_path, made("serving.io/v1", "Pod"), templates__a=text)

    assert allowed(found, "jobs.batch") == allowed(found, "services") == allowed(found, "pods") == set(ALL)
    assert found.notes[1:] == (
        "Unheard is named by a template without its group: not allowed",
        "Job of batch/v1 is allowed, since a template names it, but no rendering has it",
        "Service is allowed, since a template names it, but no rendering has it",
        "Pod of v1 is allowed, since a template names it, but no rendering has it",
    )


async def test_what_templates_look_at_may_be_read(tmp_path: Path) -> None:
    found = await rules_for(tmp_path, templates__a='{{ lookup "v1" "Node" "" "" }}')

    assert allowed(found, "nodes") == {"get", "list"}


async def test_ways_that_fail_are_told_and_the_rest_is_tried_without_them(tmp_path: Path) -> None:
    def template(blueprint: Blueprint) -> Sequence[Json]:
        values = blueprint.values
        if values.get("bad"):
            raise HelmError("no\nway")
        return [made("v1", "Service")] if values.get("a") and values.get("b") else []

    chart = write_chart(tmp_path, PROBE | {"values.yaml": "a: false\nb: false\nbad: false"})
    found = await chart_rules(chart, Rendering(template))

    assert allowed(found, "services") == set(ALL)
    assert found.notes == ("does not render with everything on; bad=True: no way",)


async def test_a_chart_whose_defaults_do_not_render_is_rendered_over_values_that_do(tmp_path: Path) -> None:
    def template(blueprint: Blueprint) -> Sequence[Json]:
        values = blueprint.values
        if values.get("mode") != "x":
            raise HelmError("set mode")
        return [made("v1", "Service")] if values.get("a") else []

    text = '{{ if eq .Values.mode "x" }}{{ end }}'
    files = {"values.yaml": "mode: ''\na: false", "templates/a.yaml": text}
    found = await chart_rules(write_chart(tmp_path, PROBE | files), Rendering(template))

    assert allowed(found, "services") == set(ALL)
    assert found.notes == ("does not render with as it is: set mode",)


async def test_of_a_chart_that_never_renders_the_kinds_in_its_templates_are_allowed(tmp_path: Path) -> None:
    def template(_: Blueprint) -> Sequence[Json]:
        raise HelmError("no way")

    text = "apiVersion: apps/v1\nkind: Deployment\n---\nkind: Service"
    files = PROBE | {"templates/a.yaml": text, "values.yaml": "a: false"}
    found = await chart_rules(write_chart(tmp_path / "a", files), Rendering(template))
    nothing = await chart_rules(write_chart(tmp_path / "b", PROBE), Rendering(template))

    assert allowed(found, "deployments.apps") == allowed(found, "services") == set(ALL)
    assert found.unknown == ()
    (note,) = found.notes
    assert note.startswith(
        "chart probe does not render with any values that were tried (no way); the rules cover the kinds"
    )
    assert note.endswith("by --set or --values")
    assert nothing.unknown == ("probe",)
    assert "no rules for its objects" in nothing.notes[0]


async def test_in_a_namespaced_form_only_what_is_cluster_wide_stays_so(tmp_path: Path) -> None:
    rule = {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}
    reader = made("rbac.authorization.k8s.io/v1", "RoleBinding", roleRef={"kind": "Role", "name": "web"})
    reader["metadata"]["namespace"] = "kube-system"
    own = made("v1", "Service")
    own["metadata"]["namespace"] = RELEASE_NAMESPACE
    objects = [
        made("rbac.authorization.k8s.io/v1", "Role", rules=[rule]),
        made("rbac.authorization.k8s.io/v1", "ClusterRole", rules=[{**rule, "resources": ["jobs"]}]),
        reader,
        own,
    ]
    text = '{{ lookup "v1" "ConfigMap" "" "" }}{{ lookup "v1" "Endpoints" .Release.Namespace "a" }}'
    chart = write_chart(tmp_path, PROBE | {"templates/a.yaml": text})
    options = RuleOptions(namespaces=("a", "b"))
    found = await chart_rules(chart, Rendering(lambda _: objects), options)

    where: dict[str, set[str]] = {}
    for each in found.rules:
        for resource in each.resources:
            where.setdefault(resource, set()).add(each.namespace)
    assert where == {
        "secrets": {"a", "b"},
        "events": {"a", "b"},
        "services": {"a", "b"},
        "roles": {"a", "b"},
        "pods": {"a", "b"},
        "endpoints": {"a", "b"},
        "rolebindings": {"kube-system"},
        "clusterroles": {""},
        "jobs": {""},
        "configmaps": {""},
    }


async def test_a_cluster_decides_about_plural_and_scope(tmp_path: Path) -> None:
    served = (Kind("y.io", "v1", "Fox", "skulk", namespaced=False),)
    options = RuleOptions(namespaces=("a",), served=served)
    helm = Rendering(lambda _: [made("y.io/v1", "Fox")])
    found = await chart_rules(write_chart(tmp_path, PROBE), helm, options)

    assert [rule.namespace for rule in found.rules if "skulk" in rule.resources] == [""]
    assert found.notes == ()


async def test_a_chart_of_many_switches_is_rendered_forty_times_two_at_a_time(tmp_path: Path) -> None:
    values = "".join(f"s{number}: false\n" for number in range(99))
    helm = Rendering(lambda _: [])

    found = await chart_rules(write_chart(tmp_path, PROBE | {"values.yaml": values}), helm)

    assert (helm.rendered, helm.most) == (40, 2)
    assert found.notes == ("of 103 combinations of values, the first 40 were rendered",)


async def test_no_cluster_is_asked_what_it_serves(tmp_path: Path) -> None:
    seen: list[tuple[frozenset[str] | None, frozenset[str]]] = []

    def template(blueprint: Blueprint) -> Sequence[Json]:
        seen.append((blueprint.chart.asks.api_versions, blueprint.capabilities.api_versions))
        return []

    text = '{{ range .Capabilities.APIVersions }}{{ end }}{{ .Capabilities.APIVersions.Has "a.io/v1" }}'
    await chart_rules(write_chart(tmp_path, PROBE | {"templates/a.yaml": text}), Rendering(template))

    assert set(seen) == {(frozenset(), frozenset()), (frozenset({"a.io/v1"}), frozenset({"a.io/v1"}))}


async def test_a_chart_is_given_what_it_cannot_do_without(tmp_path: Path) -> None:
    seen: list[Json] = []

    def template(blueprint: Blueprint) -> Sequence[Json]:
        seen.append(blueprint.values)
        return []

    files = {
        "values.yaml": "a: {b: '', c: x}\nopen: false",
        "templates/a.yaml": '{{ required "x" .Values.a.b }}',
    }
    options = RuleOptions(values={"a": {"d": 1}})
    await chart_rules(write_chart(tmp_path, PROBE | files), Rendering(template), options)

    wanted = {"b": "example", "d": 1}
    assert all(values["a"] == wanted for values in seen)
    assert {values.get("open") for values in seen} == {None, True, False}


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [("policy/v1", "{}"), ("policy/v1", "{}Set"), ("{}.io/v1", "Fox"), ("apps/v1", "Title{}")],
)
async def test_a_kind_that_follows_from_a_value_that_was_filled_in_is_not_allowed_but_told(
    tmp_path: Path, api_version: str, kind: str
) -> None:
    def template(blueprint: Blueprint) -> Sequence[Json]:
        word = blueprint.values["a"]["kindOf"]
        return [made("v1", "Service"), made(api_version.format(word), kind.format(word))]

    text = '{{ required "kindOf is needed" .Values.a.kindOf }}'
    chart = write_chart(tmp_path, PROBE | {"templates/a.yaml": text})
    found = await chart_rules(chart, Rendering(template))
    given = await chart_rules(chart, Rendering(template), RuleOptions(values={"a": {"kindOf": "Example"}}))

    assert {name for rule in found.rules for name in rule.resources} == {"events", "secrets", "services"}
    (note,) = found.notes
    assert "depends on a value that the chart lacks, and that was filled in (a.kindOf)" in note
    assert not any("filled in" in each for each in given.notes)


async def test_a_chart_of_such_kinds_alone_is_unknown(tmp_path: Path) -> None:
    text = '{{ required "kindOf is needed" .Values.kindOf }}'
    chart = write_chart(tmp_path, PROBE | {"templates/a.yaml": text})

    found = await chart_rules(
        chart, Rendering(lambda blueprint: [made("policy/v1", blueprint.values["kindOf"])])
    )

    assert found.unknown == ("probe",)


async def test_a_group_that_has_the_word_of_fillers_is_allowed(tmp_path: Path) -> None:
    objects = [made("demo.example.com/v1", "Fox"), made("example.com/v1", "Hen")]
    text = "apiVersion: example.com/v1\nkind: Hen\n"
    chart = write_chart(tmp_path, PROBE | {"templates/a.yaml": text})
    helm = Rendering(lambda _: objects)

    found = await chart_rules(chart, helm)

    assert allowed(found, "foxes.demo.example.com") == allowed(found, "hens.example.com") == set(ALL)
    assert helm.rendered == 3  # one more for the kind that no template states

"""Rules of an operator that is limited to namespaces."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any

import pytest

import windlass.kinds
from windlass.api import Resource
from windlass.codegen import Project, Rule, Setting, operator_rules
from windlass.codegen.scope import CLUSTER_SCOPED, by_scope, limited
from windlass.errors import ConfigError
from windlass.kinds.core.v1 import ConfigMap, Node
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import Iterator


class Shelf(Resource, group="shop.example.com", version="v1"):
    pass


class Zone(Resource, group="shop.example.com", version="v1", namespaced=False):
    pass


class ShelfController(Reconciler[Shelf]):
    rules = (Rule.on(ConfigMap, "create"), Rule.on(Node, "patch"), Rule(urls=("/healthz",), verbs=("get",)))

    async def reconcile(self, resource: Shelf, ctx: Context) -> Result[Any]:
        return Result.ready()


class ZoneController(Reconciler[Zone]):
    async def reconcile(self, resource: Zone, ctx: Context) -> Result[Any]:
        return Result.ready()


def built_in_kinds() -> Iterator[Any]:
    for module in walk_packages(windlass.kinds.__path__, "windlass.kinds."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, Resource) and "__kind__" in vars(value):
                yield value.__kind__


def test_the_table_of_cluster_scoped_resources_is_that_of_the_built_in_kinds() -> None:
    known = {(kind.group, kind.plural) for kind in built_in_kinds() if not kind.namespaced}

    assert {(group, each) for group, listed in CLUSTER_SCOPED.items() for each in listed} == known


def test_a_rule_about_resources_of_both_scopes_becomes_two() -> None:
    rule = Rule(groups=("", "apps"), resources=("nodes/status", "pods"), verbs=("get",), names=("a",))

    watched, elsewhere = by_scope([rule])

    assert watched == [
        Rule(groups=("",), resources=("pods",), verbs=("get",), names=("a",)),
        Rule(groups=("apps",), resources=("nodes/status", "pods"), verbs=("get",), names=("a",)),
    ]
    assert elsewhere == [Rule(groups=("",), resources=("nodes/status",), verbs=("get",), names=("a",))]


@pytest.mark.parametrize(
    "rule",
    [
        Rule(urls=("/metrics",), verbs=("get",)),
        Rule(resources=("secrets",), verbs=("get",), namespace="vault"),
        Rule(groups=("apiextensions.k8s.io",), resources=("customresourcedefinitions",), verbs=("list",)),
        Rule(groups=("core",), resources=("nodes",), verbs=("list",)),
        Rule(resources=("secrets",), verbs=("get",), cluster_wide=True),
        Rule.on(Zone),
    ],
    ids=str,
)
def test_a_rule_that_cannot_be_in_the_role_of_a_watched_namespace_stays(rule: Rule) -> None:
    assert limited([rule], ["shop"]) == [rule]


def test_a_namespaced_rule_holds_in_each_watched_namespace_alone() -> None:
    assert [each.namespace for each in limited([Rule.on(Shelf)], ["a", "b"])] == ["a", "b"]
    assert limited([Rule.on(Shelf)], []) == [Rule.on(Shelf)]


def test_a_rule_cannot_be_cluster_wide_and_limited_to_a_namespace() -> None:
    with pytest.raises(ConfigError, match="cannot be cluster-wide and limited"):
        Rule(resources=("pods",), verbs=("get",), namespace="shop", cluster_wide=True)


def test_what_a_reconciler_adds_to_its_rules_is_limited_with_them() -> None:
    rules = operator_rules([ShelfController], Setting(namespaces=("shop",)))

    everywhere = {each.resources or each.urls for each in rules if not each.namespace}
    assert everywhere == {("nodes",), ("/healthz",)}
    assert {each.namespace for each in rules if each.resources == ("configmaps",)} == {"shop"}


def test_events_of_cluster_scoped_objects_may_be_written_where_those_are() -> None:
    rules = operator_rules([ShelfController, ZoneController], Setting(namespaces=("shop",)))
    alone = operator_rules([ShelfController], Setting(namespaces=("shop",)))

    assert {each.namespace for each in rules if each.resources == ("events",)} == {"shop", "default"}
    assert {each.namespace for each in alone if each.resources == ("events",)} == {"shop"}


def test_a_limited_operator_has_a_role_in_each_namespace_and_a_cluster_role_for_the_rest() -> None:
    project = Project(
        operator="shop",
        kinds=(Shelf,),
        module="shop",
        reconcilers=(ShelfController,),
        watch_namespaces=("a", "b"),
    )

    cluster, first, second = project.roles()

    assert cluster["kind"] == "ClusterRole"
    assert cluster["rules"] == [
        {"apiGroups": [""], "resources": ["nodes"], "verbs": ["patch"]},
        {"nonResourceURLs": ["/healthz"], "verbs": ["get"]},
    ]
    assert [(each["kind"], each["metadata"]) for each in (first, second)] == [
        ("Role", {"name": "shop-watch-role", "namespace": "a"}),
        ("Role", {"name": "shop-watch-role", "namespace": "b"}),
    ]
    assert first["rules"] == second["rules"]


def test_a_limited_operator_without_cluster_scoped_rules_has_no_cluster_role() -> None:
    project = Project(operator="shop", kinds=(Shelf,), module="shop", watch_namespaces=("a",))

    assert [each["kind"] for each in project.roles()] == ["Role"]

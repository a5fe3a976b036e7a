"""Roles: the rules that are merged, and the names under which they are written."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.api import Definition, Field, Resource, Status
from windlass.codegen import ALL, READ, Rule, manager_roles, rules_of, user_roles
from windlass.codegen.rbac import bindings, leader_election_role, normalise
from windlass.errors import ConfigError


class AppStatus(Status):
    ready: bool = False


class App(Resource, group="demo.example.com", version="v1"):
    status: AppStatus = Field(default_factory=AppStatus)


class Zone(Resource, group="demo.example.com", version="v1"):
    pass


class Whole(Resource, group="demo.example.com", version="v1", definition=Definition(status=False)):
    status: AppStatus = Field(default_factory=AppStatus)


def rule(groups: str, resources: str, verbs: str, **more: Any) -> Rule:
    """A rule from words: `rule("apps", "deployments daemonsets", "get list")`."""
    given: dict[str, Any] = {
        key: tuple(value.split()) if key != "namespace" else value for key, value in more.items()
    }
    return Rule(
        groups=tuple(groups.split()), resources=tuple(resources.split()), verbs=tuple(verbs.split()), **given
    )


def written(groups: list[str], resources: list[str], verbs: list[str], **more: Any) -> dict[str, Any]:
    """A rule as it stands in a role."""
    return {"apiGroups": groups, "resources": resources, **more, "verbs": verbs}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param(
            [rule("apps", "deployments", "list get get")],
            [written(["apps"], ["deployments"], ["get", "list"])],
            id="verbs are sorted, once each",
        ),
        pytest.param(
            [rule("", "pods", "get")], [written([""], ["pods"], ["get"])], id="no group is the core group"
        ),
        pytest.param(
            [rule("core", "pods", "get"), Rule(groups=("",), resources=("pods",), verbs=("list",))],
            [written([""], ["pods"], ["get", "list"])],
            id="core is the core group too",
        ),
        pytest.param(
            [rule("apps", "deployments", "get"), rule("apps", "deployments", "list")],
            [written(["apps"], ["deployments"], ["get", "list"])],
            id="verbs on one resource are merged",
        ),
        pytest.param(
            [rule("apps", "deployments", "get"), rule("apps", "daemonsets", "get")],
            [written(["apps"], ["daemonsets", "deployments"], ["get"])],
            id="resources with equal verbs are merged",
        ),
        pytest.param(
            [rule("apps", "scales", "get"), rule("batch", "scales", "get")],
            [written(["apps", "batch"], ["scales"], ["get"])],
            id="groups with equal resources and verbs are merged",
        ),
        pytest.param(
            [rule("apps", "deployments daemonsets", "get"), rule("apps", "deployments", "list")],
            [written(["apps"], ["daemonsets"], ["get"]), written(["apps"], ["deployments"], ["get", "list"])],
            id="a resource with more verbs leaves the others",
        ),
        pytest.param(
            [rule("apps", "deployments", "get", names="a"), rule("apps", "deployments", "get")],
            [
                written(["apps"], ["deployments"], ["get"]),
                written(["apps"], ["deployments"], ["get"], resourceNames=["a"]),
            ],
            id="a rule about some objects is not one about all",
        ),
        pytest.param(
            [
                rule("apps", "deployments", "get", names="b a b"),
                rule("apps", "daemonsets", "get", names="a b"),
            ],
            [written(["apps"], ["daemonsets", "deployments"], ["get"], resourceNames=["a", "b"])],
            id="rules about the same objects are merged",
        ),
        pytest.param(
            [rule("", "", "get", urls="/metrics /healthz"), rule("", "", "get", urls="/livez")],
            [{"nonResourceURLs": ["/healthz", "/livez", "/metrics"], "verbs": ["get"]}],
            id="addresses with equal verbs are merged",
        ),
        pytest.param(
            [rule("", "", "get", urls="/a /b"), rule("", "", "post", urls="/a"), rule("", "pods", "get")],
            [
                written([""], ["pods"], ["get"]),
                {"nonResourceURLs": ["/a"], "verbs": ["get", "post"]},
                {"nonResourceURLs": ["/b"], "verbs": ["get"]},
            ],
            id="addresses come last, and each with its own verbs",
        ),
        pytest.param(
            [rule("apps", "deployments", "get"), rule("apps", "deployments/status", "get")],
            [written(["apps"], ["deployments", "deployments/status"], ["get"])],
            id="a subresource is a resource",
        ),
    ],
)
def test_rules_are_merged(rules: list[Rule], expected: list[dict[str, Any]]) -> None:
    assert normalise(rules) == expected


def some(*values: str, least: int = 1) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(values), min_size=least, max_size=3).map(tuple)


RULES = st.lists(
    st.one_of(
        st.builds(
            Rule,
            groups=some("", "core", "apps", "batch", least=0),
            resources=some("pods", "jobs", "scales"),
            verbs=some("get", "list", "watch", "*"),
            names=some("a", "b", least=0),
        ),
        st.builds(Rule, urls=some("/a", "/b", "/c"), verbs=some("get", "post")),
    ),
    max_size=6,
)


def said_by(rules: list[Rule]) -> set[tuple[str, ...]]:
    """Each single thing that rules allow: one verb on one resource of one group, or on one address."""
    found: set[tuple[str, ...]] = set()
    for each in rules:
        groups = ["" if group == "core" else group for group in each.groups or ("",)]
        names = ",".join(sorted(set(each.names)))
        found |= {
            (group, resource, names, verb)
            for group, resource, verb in product(groups, each.resources, each.verbs)
        }
        found |= set(product(each.urls, each.verbs))
    return found


def read(role: list[dict[str, Any]]) -> list[Rule]:
    """Rules from what stands in a role."""
    keys = {
        "apiGroups": "groups",
        "resources": "resources",
        "resourceNames": "names",
        "nonResourceURLs": "urls",
        "verbs": "verbs",
    }
    said: list[dict[str, Any]] = [{keys[key]: tuple(value) for key, value in each.items()} for each in role]
    return [Rule(**each) for each in said]


@pytest.mark.property
@given(RULES)
def test_merging_changes_nothing_that_is_allowed(rules: list[Rule]) -> None:
    assert said_by(read(normalise(rules))) == said_by(rules)


@pytest.mark.property
@given(RULES)
def test_merging_again_changes_nothing(rules: list[Rule]) -> None:
    merged = normalise(rules)

    assert normalise(read(merged)) == merged


@pytest.mark.property
@given(RULES.flatmap(lambda rules: st.tuples(st.just(rules), st.permutations(rules))))
def test_the_order_of_rules_does_not_matter(orders: tuple[list[Rule], list[Rule]]) -> None:
    first, second = orders

    assert normalise(first) == normalise(second)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"resources": ("pods",), "verbs": ()}, "allows nothing: name its verbs"),
        ({"verbs": ("get",)}, "must be about resources, or about urls"),
        ({"resources": ("pods",), "urls": ("/a",), "verbs": ("get",)}, "and not about both"),
        ({"urls": ("/a",), "verbs": ("get",), "namespace": "shop"}, "no namespace"),
        ({"urls": ("/a",), "verbs": ("get",), "groups": ("apps",)}, "urls have no groups"),
        ({"urls": ("/a",), "verbs": ("get",), "names": ("x",)}, "no names"),
    ],
)
def test_a_rule_that_no_role_can_hold_is_refused(said: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Rule(**said)


def test_a_rule_on_a_kind_names_its_group_and_resource() -> None:
    assert Rule.on(App) == Rule(groups=("demo.example.com",), resources=("apps",), verbs=READ)
    assert Rule.on(App, "get", subresource="scale").resources == ("apps/scale",)


def test_an_operator_may_change_its_own_kind_its_status_and_its_finalizers() -> None:
    assert normalise(rules_of(App)) == [
        written(["demo.example.com"], ["apps"], sorted(ALL)),
        written(["demo.example.com"], ["apps/finalizers"], ["update"]),
        written(["demo.example.com"], ["apps/status"], ["get", "patch", "update"]),
    ]


@pytest.mark.parametrize("kind", [Zone, Whole])
def test_without_the_subresource_there_is_no_rule_on_a_status(kind: type[Resource]) -> None:
    roles = [normalise(rules_of(kind)), *(role["rules"] for role in user_roles("demo", kind).values())]

    assert "status" not in str(roles)


def test_the_manager_has_a_cluster_role_and_a_role_in_each_namespace_that_rules_name() -> None:
    rules = [
        rule("", "secrets", "get", namespace="shop"),
        rule("", "pods", "get"),
        rule("", "secrets", "list", namespace="shop"),
        rule("", "events", "create", namespace="bank"),
    ]

    roles = manager_roles("demo", rules)

    assert [(role["kind"], role["metadata"]) for role in roles] == [
        ("ClusterRole", {"name": "demo-manager-role"}),
        ("Role", {"name": "demo-manager-role", "namespace": "bank"}),
        ("Role", {"name": "demo-manager-role", "namespace": "shop"}),
    ]
    assert roles[2]["rules"] == [written([""], ["secrets"], ["get", "list"])]


def test_every_role_of_the_manager_is_bound_to_its_account() -> None:
    rules = [rule("", "secrets", "get", namespace="shop"), rule("", "pods", "get")]

    account, *bound = bindings("demo", "demo-system", manager_roles("demo", rules))

    assert account["metadata"] == {"name": "demo-controller-manager", "namespace": "demo-system"}
    assert [
        (each["kind"], each["metadata"], each["roleRef"]["kind"], each["roleRef"]["name"]) for each in bound
    ] == [
        ("ClusterRoleBinding", {"name": "demo-manager-rolebinding"}, "ClusterRole", "demo-manager-role"),
        (
            "RoleBinding",
            {"name": "demo-manager-rolebinding", "namespace": "shop"},
            "Role",
            "demo-manager-role",
        ),
        (
            "RoleBinding",
            {"name": "demo-leader-election-rolebinding", "namespace": "demo-system"},
            "Role",
            "demo-leader-election-role",
        ),
    ]
    subject = {"kind": "ServiceAccount", "name": "demo-controller-manager", "namespace": "demo-system"}
    assert [each["subjects"] for each in bound] == [[subject]] * 3


def test_leader_election_needs_leases_and_events_where_the_operator_lives() -> None:
    role = leader_election_role("demo", "demo-system")

    assert role["kind"] == "Role"
    assert role["metadata"] == {"name": "demo-leader-election-role", "namespace": "demo-system"}
    assert role["rules"] == [
        written(["", "events.k8s.io"], ["events"], ["create", "patch"]),
        written(["coordination.k8s.io"], ["leases"], sorted(ALL)),
    ]


def test_people_get_roles_by_what_they_may_do() -> None:
    roles = user_roles("demo", App)

    assert {file: role["metadata"]["name"] for file, role in roles.items()} == {
        "app_admin_role.yaml": "demo-app-admin-role",
        "app_editor_role.yaml": "demo-app-editor-role",
        "app_viewer_role.yaml": "demo-app-viewer-role",
    }
    status = written(["demo.example.com"], ["apps/status"], ["get"])
    assert roles["app_admin_role.yaml"]["rules"] == [written(["demo.example.com"], ["apps"], ["*"]), status]
    assert roles["app_editor_role.yaml"]["rules"] == [
        written(["demo.example.com"], ["apps"], sorted(ALL)),
        status,
    ]
    assert roles["app_viewer_role.yaml"]["rules"] == [
        written(["demo.example.com"], ["apps"], sorted(READ)),
        status,
    ]

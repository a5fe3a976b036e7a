"""Roles from declared kinds and verbs, in the form and under the names that kubebuilder gives them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from windlass.codegen.crd import has_status
from windlass.codegen.grant import REVIEWS
from windlass.codegen.scope import by_scope
from windlass.reconcile import READ, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Json, Resource

WRITE = ("create", "delete", "patch", "update")
ALL = (*READ, *WRITE)

_Texts = tuple[str, ...]


def rules_of(kind: type[Resource]) -> list[Rule]:
    """What an operator needs for a kind of its own: the objects, their status, their finalizers."""
    rules = [Rule.on(kind, *ALL), Rule.on(kind, "update", subresource="finalizers")]
    if has_status(kind):
        rules.append(Rule.on(kind, "get", "patch", "update", subresource="status"))
    return rules


def manager_roles(operator: str, rules: Iterable[Rule]) -> list[Json]:
    """The ClusterRole of the operator's process, and a Role for each namespace that rules are limited to."""
    places: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        places[rule.namespace].append(rule)
    return [_role(f"{operator}-manager-role", normalise(places[place]), place) for place in sorted(places)]


def limited_roles(operator: str, rules: Iterable[Rule], watched: Sequence[str]) -> list[Json]:
    """The roles of an operator that watches these namespaces alone.

    Each has a Role; what cannot stand in a Role is in the roles that `manager_roles` makes, if anything is.
    """
    scoped = by_scope(rules)
    granted = normalise(scoped.watched)
    roles = [_role(f"{operator}-watch-role", granted, namespace) for namespace in watched if granted]
    return [*manager_roles(operator, scoped.elsewhere), *roles]


def user_roles(operator: str, kind: type[Resource], name: str = "") -> dict[str, Json]:
    """Roles to give to people: admin, editor and viewer of a kind, by file name.

    They are named after the kind, or `name` where several kinds are called the same.
    """
    name = name or kind.__kind__.name.lower()
    status = [Rule.on(kind, "get", subresource="status")] if has_status(kind) else []
    verbs = {"admin": ("*",), "editor": ALL, "viewer": READ}
    return {
        f"{name.replace('-', '_')}_{who}_role.yaml": _role(
            f"{operator}-{name}-{who}-role", normalise([Rule.on(kind, *allowed), *status])
        )
        for who, allowed in verbs.items()
    }


def leader_election_role(operator: str, namespace: str = "") -> Json:
    """What leader election needs, in the operator's own namespace."""
    rules = [
        Rule(groups=("coordination.k8s.io",), resources=("leases",), verbs=ALL),
        Rule(groups=("", "events.k8s.io"), resources=("events",), verbs=("create", "patch")),
    ]
    role = _role(f"{operator}-leader-election-role", normalise(rules), namespace)
    return role | {"kind": "Role"}


def metrics_auth(operator: str, namespace: str) -> list[Json]:
    """What lets the operator's process find out who may read its metrics: a role, bound to its account."""
    account = _account(operator, namespace)
    role = _role(f"{operator}-metrics-auth-role", normalise(REVIEWS))
    return [role, _binding(f"{operator}-metrics-auth-rolebinding", role["metadata"]["name"], account)]


def metrics_reader(operator: str) -> Json:
    """The role to give to who reads the metrics, such as Prometheus."""
    return _role(f"{operator}-metrics-reader", normalise([Rule(urls=("/metrics",), verbs=("get",))]))


def bindings(operator: str, namespace: str, roles: Iterable[Json] = ()) -> list[Json]:
    """The service account of the operator's process, and what binds it to its roles."""
    account = _account(operator, namespace)
    return [
        {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"name": account["name"], "namespace": namespace},
        },
        *(_bound(role, account) for role in roles),
        _binding(
            f"{operator}-leader-election-rolebinding", f"{operator}-leader-election-role", account, namespace
        ),
    ]


def normalise(rules: Iterable[Rule]) -> list[Json]:
    """The shortest list of rules that says the same, in an order that does not depend on the input's.

    Verbs on the same resource are merged first, then resources with equal verbs, then groups; addresses
    with equal verbs come last.
    """
    rules = list(rules)
    return [*_about_resources(rules), *_about_urls(rules)]


def _about_resources(rules: Iterable[Rule]) -> list[Json]:
    verbs: dict[tuple[str, str, _Texts], set[str]] = defaultdict(set)
    for rule in rules:
        names = _texts(rule.names)
        for resource in rule.resources:
            for group in rule.groups or ("",):
                verbs["" if group == "core" else group, resource, names].update(rule.verbs)
    resources: dict[tuple[str, _Texts, _Texts], set[str]] = defaultdict(set)
    for (group, resource, names), allowed in verbs.items():
        resources[group, names, _texts(allowed)].add(resource)
    groups: dict[tuple[_Texts, _Texts, _Texts], set[str]] = defaultdict(set)
    for (group, names, said), found in resources.items():
        groups[_texts(found), names, said].add(group)
    return [_rule(*each) for each in sorted((_texts(found), *key) for key, found in groups.items())]


def _about_urls(rules: Iterable[Rule]) -> list[Json]:
    verbs: dict[str, set[str]] = defaultdict(set)
    for rule in rules:
        for url in rule.urls:
            verbs[url].update(rule.verbs)
    urls: dict[_Texts, set[str]] = defaultdict(set)
    for url, allowed in verbs.items():
        urls[_texts(allowed)].add(url)
    merged = sorted((_texts(found), allowed) for allowed, found in urls.items())
    return [{"nonResourceURLs": list(found), "verbs": list(allowed)} for found, allowed in merged]


def _texts(values: Iterable[str]) -> _Texts:
    return tuple(sorted(set(values)))


def _rule(groups: _Texts, resources: _Texts, names: _Texts, verbs: _Texts) -> Json:
    rule: Json = {"apiGroups": list(groups), "resources": list(resources)}
    return rule | ({"resourceNames": list(names)} if names else {}) | {"verbs": list(verbs)}


def _role(name: str, rules: list[Json], namespace: str = "") -> Json:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role" if namespace else "ClusterRole",
        "metadata": {"name": name} | ({"namespace": namespace} if namespace else {}),
        "rules": rules,
    }


def _account(operator: str, namespace: str) -> Json:
    """The account of the operator's process, as a binding names it."""
    return {"kind": "ServiceAccount", "name": f"{operator}-controller-manager", "namespace": namespace}


def _bound(role: Json, account: Json) -> Json:
    name, namespace = role["metadata"]["name"], role["metadata"].get("namespace", "")
    return _binding(f"{name.removesuffix('role')}rolebinding", name, account, namespace)


def _binding(name: str, role: str, account: Json, namespace: str = "") -> Json:
    kind = "Role" if namespace else "ClusterRole"
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": f"{kind}Binding",
        "metadata": {"name": name} | ({"namespace": namespace} if namespace else {}),
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role},
        "subjects": [account],
    }

"""Roles from declared kinds and verbs, in the form and under the names that kubebuilder gives them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Json, Resource

READ = ("get", "list", "watch")
WRITE = ("create", "delete", "patch", "update")
ALL = (*READ, *WRITE)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What may be done to some resources, or to some addresses that are no resources (`urls`).

    With a `namespace` it holds there alone, in a Role; otherwise everywhere, in a ClusterRole.
    """

    groups: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    verbs: tuple[str, ...]
    names: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    namespace: str = ""

    @classmethod
    def on(cls, kind: type[Resource], *verbs: str, subresource: str = "") -> Rule:
        """A rule about one kind, or one of its subresources: `Rule.on(Secret, "get")`."""
        resource = kind.__kind__.plural + (f"/{subresource}" if subresource else "")
        return cls(groups=(kind.__kind__.group,), resources=(resource,), verbs=verbs or READ)


def rules_of(kind: type[Resource]) -> list[Rule]:
    """What an operator needs for a kind of its own: the objects, their status, their finalizers."""
    rules = [Rule.on(kind, *ALL), Rule.on(kind, "update", subresource="finalizers")]
    if "status" in kind.model_fields:
        rules.append(Rule.on(kind, "get", "patch", "update", subresource="status"))
    return rules


def manager_roles(operator: str, rules: Iterable[Rule]) -> list[Json]:
    """The ClusterRole of the operator's process, and a Role for each namespace that rules are limited to."""
    places: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        places[rule.namespace].append(rule)
    return [_role(f"{operator}-manager-role", normalise(places[place]), place) for place in sorted(places)]


def user_roles(operator: str, kind: type[Resource]) -> dict[str, Json]:
    """Roles to give to people: admin, editor and viewer of a kind, by file name."""
    name = kind.__kind__.name.lower()
    verbs = {"admin": ("*",), "editor": ALL, "viewer": READ}
    return {
        f"{name}_{who}_role.yaml": _role(
            f"{operator}-{name}-{who}-role",
            normalise([Rule.on(kind, *allowed), Rule.on(kind, "get", subresource="status")]),
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


def bindings(operator: str, namespace: str) -> list[Json]:
    """The service account of the operator's process, and what binds it to its roles."""
    account = {"kind": "ServiceAccount", "name": f"{operator}-controller-manager", "namespace": namespace}
    return [
        {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"name": account["name"], "namespace": namespace},
        },
        _binding(f"{operator}-manager-rolebinding", f"{operator}-manager-role", account),
        _binding(
            f"{operator}-leader-election-rolebinding", f"{operator}-leader-election-role", account, namespace
        ),
    ]


def normalise(rules: Iterable[Rule]) -> list[Json]:
    """The shortest list of rules that says the same, in an order that does not depend on the input's.

    Verbs on the same resource are merged first, then resources with equal verbs, then groups.
    """
    verbs: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], set[str]] = defaultdict(set)
    for rule in rules:
        names, urls = tuple(sorted(rule.names)), tuple(sorted(rule.urls))
        for group in rule.groups or ("",):
            for resource in rule.resources or ("",):
                verbs[group, resource, names, urls].update(rule.verbs)
    resources: dict[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]], set[str]] = defaultdict(
        set
    )
    for (group, resource, names, urls), allowed in verbs.items():
        resources[group, names, urls, tuple(sorted(allowed))].add(resource)
    groups: dict[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]], set[str]]
    groups = defaultdict(set)
    for (group, names, urls, allowed_verbs), found in resources.items():
        groups[tuple(sorted(found)), names, urls, allowed_verbs].add(group)
    written = [_rule(sorted(found), *key) for key, found in groups.items()]
    return sorted(
        written, key=lambda rule: (rule.get("apiGroups", ["~"]), rule.get("resources", []), rule["verbs"])
    )


def _rule(
    groups: Sequence[str],
    resources: Sequence[str],
    names: Sequence[str],
    urls: Sequence[str],
    verbs: Sequence[str],
) -> Json:
    if urls:
        return {"nonResourceURLs": list(urls), "verbs": list(verbs)}
    rule: Json = {"apiGroups": list(groups), "resources": list(resources)}
    return rule | ({"resourceNames": list(names)} if names else {}) | {"verbs": list(verbs)}


def _role(name: str, rules: list[Json], namespace: str = "") -> Json:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role" if namespace else "ClusterRole",
        "metadata": {"name": name} | ({"namespace": namespace} if namespace else {}),
        "rules": rules,
    }


def _binding(name: str, role: str, account: Json, namespace: str = "") -> Json:
    kind = "Role" if namespace else "ClusterRole"
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": f"{kind}Binding",
        "metadata": {"name": name} | ({"namespace": namespace} if namespace else {}),
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role},
        "subjects": [account],
    }

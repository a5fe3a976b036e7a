"""The scope of rules: what a limited operator may do in the namespaces it watches, and what in the cluster.

A Role cannot allow anything about cluster-scoped resources. An operator that watches some namespaces only
therefore gets a Role in each of them, and a ClusterRole for the rest, if there is any.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from windlass.reconcile import Rule

CLUSTER_SCOPED: Final[Mapping[str, frozenset[str]]] = {
    group: frozenset(resources.split())
    for group, resources in {
        "": "componentstatuses namespaces nodes persistentvolumes",
        "admissionregistration.k8s.io": (
            "mutatingadmissionpolicies mutatingadmissionpolicybindings mutatingwebhookconfigurations "
            "validatingadmissionpolicies validatingadmissionpolicybindings validatingwebhookconfigurations"
        ),
        "apiextensions.k8s.io": "customresourcedefinitions",
        "apiregistration.k8s.io": "apiservices",
        "authentication.k8s.io": "selfsubjectreviews tokenreviews",
        "authorization.k8s.io": "selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews",
        "certificates.k8s.io": "certificatesigningrequests",
        "flowcontrol.apiserver.k8s.io": "flowschemas prioritylevelconfigurations",
        "networking.k8s.io": "ingressclasses ipaddresses servicecidrs",
        "node.k8s.io": "runtimeclasses",
        "rbac.authorization.k8s.io": "clusterrolebindings clusterroles",
        "resource.k8s.io": "deviceclasses resourceslices",
        "scheduling.k8s.io": "priorityclasses",
        "storage.k8s.io": "csidrivers csinodes storageclasses volumeattachments volumeattributesclasses",
    }.items()
}
"""The built-in resources that are in no namespace, by group."""


class Scoped(NamedTuple):
    """Rules by where they have to hold: in each watched namespace, or elsewhere.

    `elsewhere` has the cluster-wide rules, and those that name a namespace of their own.
    """

    watched: list[Rule]
    elsewhere: list[Rule]


def by_scope(rules: Iterable[Rule]) -> Scoped:
    """Divide rules; one about resources of both scopes becomes two.

    A resource of a group that is not built in counts as namespaced, unless its rule is `cluster_wide`.
    """
    scoped = Scoped([], [])
    for rule in rules:
        if rule.namespace or rule.urls or rule.cluster_wide:
            scoped.elsewhere.append(rule)
            continue
        for is_cluster_scoped, part in _parts(rule):
            (scoped.elsewhere if is_cluster_scoped else scoped.watched).append(part)
    return scoped


def limited(rules: Iterable[Rule], namespaces: Iterable[str]) -> list[Rule]:
    """Limit rules to the watched namespaces; none means that nothing is limited."""
    namespaces = tuple(namespaces)
    if not namespaces:
        return list(rules)
    scoped = by_scope(rules)
    placed = [replace(rule, namespace=namespace) for namespace in namespaces for rule in scoped.watched]
    return [*scoped.elsewhere, *placed]


def _parts(rule: Rule) -> Iterator[tuple[bool, Rule]]:
    """Yield the cluster-scoped part of a rule and the namespaced one, group by group."""
    for group in rule.groups or ("",):
        found: dict[bool, list[str]] = defaultdict(list)
        for resource in rule.resources:
            found[_is_cluster_scoped(group, resource)].append(resource)
        if len(found) == 1 and len(rule.groups) <= 1:
            yield next(iter(found)), rule
        else:
            for is_cluster_scoped, resources in found.items():
                part = replace(rule, groups=(group,), resources=tuple(resources))
                yield is_cluster_scoped, part


def _is_cluster_scoped(group: str, resource: str) -> bool:
    name = resource.partition("/")[0]
    return name in CLUSTER_SCOPED.get("" if group == "core" else group, ())

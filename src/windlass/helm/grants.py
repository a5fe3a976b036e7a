"""From the objects of a chart to the permissions that deploying them needs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from windlass.codegen import limited
from windlass.helm.mentions import Mentioned
from windlass.reconcile import READ, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from windlass.api import Json
    from windlass.helm.mentions import Lookup
    from windlass.helm.resource_name import ResourceNames

DEPLOY: Final = (*READ, "create", "delete", "patch", "update")
"""The verbs that deploying, repairing and removing an object use."""

RELEASE_NAMESPACE: Final = "release-namespace"
"""The namespace of the release in rendered objects."""

_LOGS: Final = (
    Rule(groups=("",), resources=("pods",), verbs=READ),
    Rule(groups=("",), resources=("pods/log",), verbs=("get",)),
)
_DANGEROUS: Final = frozenset({"bind", "escalate"})
_ROLES: Final = ("Role", "ClusterRole")
_TESTS: Final = frozenset({"test", "test-success", "test-failure"})


class Grants:
    """Collect permissions, and notes about what is not certain.

    A rule is needed in the namespace of a release, unless it names another one or is `cluster_wide`.
    """

    def __init__(self, names: ResourceNames) -> None:
        self._names = names
        self._rules: dict[Rule, None] = {}
        self._notes: dict[str, None] = {}

    def rules(self, namespaces: Sequence[str] = ()) -> tuple[Rule, ...]:
        """Return the rules for releases in these namespaces, in an order of their own.

        Without namespaces, releases may be anywhere, and every rule holds for the whole cluster.
        """
        found = (
            limited(self._rules, namespaces)
            if namespaces
            else (replace(rule, namespace="") for rule in self._rules)
        )
        return tuple(sorted(dict.fromkeys(found), key=_order))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader of the rules should know."""
        return tuple(self._notes)

    def note(self, *texts: str) -> None:
        """Add notes, each of them once."""
        self._notes |= dict.fromkeys(texts)

    def allow(self, *rules: Rule) -> None:
        """Include rules as they are."""
        self._rules |= dict.fromkeys(rules)

    def need(self, what: Mentioned, verbs: tuple[str, ...] = DEPLOY, *, namespace: str | None = "") -> bool:
        """Allow verbs on a kind; false if its group is unknown.

        If the kind is namespaced, they are allowed in this namespace, in that of the release (empty), or in
        all of them (None).
        """
        names = self._names.find(*what)
        for name in names:
            where = namespace if name.namespaced else None
            rule = Rule(groups=(name.group,), resources=(name.plural,), verbs=verbs)
            self.allow(replace(rule, namespace=where or "", cluster_wide=where is None))
            if name.is_guess:
                self.note(f"{what}: assumed to be the namespaced resource {name}, since its CRD is unknown")
        return bool(names)

    def look_up(self, lookup: Lookup) -> None:
        """Allow what a template reads by `lookup`; an empty namespace reads those of all namespaces."""
        where = "" if lookup.namespace is None else lookup.namespace or None
        self.need(lookup.kind, ("get", "list"), namespace=where)

    def deploy(self, objects: Iterable[Json]) -> None:
        """Allow to deploy objects and hooks, but not tests, and to grant what roles among them grant."""
        wanted = [obj for obj in objects if not _is_test(obj)]
        roles = {(obj["kind"], _name(obj)) for obj in wanted if obj.get("kind") in _ROLES}
        for obj in wanted:
            self.need(kind_of(obj), namespace=_namespace(obj))
            if "helm.sh/hook-output-log-policy" in _annotations(obj):
                self.allow(*_LOGS)
            if obj.get("kind") in _ROLES:
                self._pass_on(obj)
            elif isinstance(obj.get("roleRef"), dict):
                self._bind(obj, roles)

    def _pass_on(self, role: Json) -> None:
        """Allow what a role allows, where it allows it: creating a role needs the permissions in it."""
        which = f"{role['kind']} {_name(role)}"
        where = None if role["kind"] == "ClusterRole" else _namespace(role)
        if role.get("aggregationRule"):
            self.note(f"{which} aggregates other roles: allow the operator what those allow")
        for rule in role.get("rules") or ():
            verbs = frozenset(rule.get("verbs") or ())
            if verbs & _DANGEROUS:
                self.note(f"{which} allows {' and '.join(sorted(verbs & _DANGEROUS))}: not passed on")
            self.allow(*_rules(rule, tuple(sorted(verbs - _DANGEROUS)), where))

    def _bind(self, binding: Json, roles: set[tuple[str, str]]) -> None:
        role = binding["roleRef"].get("kind", ""), binding["roleRef"].get("name", "")
        if role not in roles:
            said = f"{binding['kind']} {_name(binding)} binds {' '.join(role)}, which is not in the chart"
            self.note(f"{said}: allow the operator what that allows")


def kind_of(obj: Json) -> Mentioned:
    """The kind of an object, as templates mention it."""
    return Mentioned(str(obj.get("apiVersion") or ""), str(obj.get("kind") or ""))


def _rules(rule: Json, verbs: tuple[str, ...], namespace: str | None) -> Iterator[Rule]:
    resources, urls = (tuple(rule.get(name) or ()) for name in ("resources", "nonResourceURLs"))
    if verbs and resources:
        groups, names = (tuple(rule.get(name) or ()) for name in ("apiGroups", "resourceNames"))
        granted = Rule(groups=groups, resources=resources, verbs=verbs, names=names)
        yield replace(granted, namespace=namespace or "", cluster_wide=namespace is None)
    if verbs and urls:
        yield Rule(urls=urls, verbs=verbs)


def _name(obj: Json) -> str:
    return str((obj.get("metadata") or {}).get("name") or "")


def _namespace(obj: Json) -> str:
    namespace = str((obj.get("metadata") or {}).get("namespace") or "")
    return "" if namespace == RELEASE_NAMESPACE else namespace


def _annotations(obj: Json) -> dict[str, Any]:
    return (obj.get("metadata") or {}).get("annotations") or {}


def _is_test(obj: Json) -> bool:
    """Whether it is a hook that only `helm test` runs, which the operator never does."""
    hooks = str(_annotations(obj).get("helm.sh/hook") or "").split(",")
    return {hook.strip() for hook in hooks} <= _TESTS


def _order(rule: Rule) -> tuple[Any, ...]:
    return rule.namespace, rule.groups, rule.resources, rule.urls, rule.names, rule.verbs

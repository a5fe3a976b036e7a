"""From the objects of a chart to what somebody who deploys them must be allowed to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.helm.mentions import Mentioned
from windlass.reconcile import READ, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windlass.api import Json
    from windlass.helm.resource_name import ResourceNames

DEPLOY: Final = (*READ, "create", "delete", "patch", "update")
"""What whoever deploys objects does to them."""

_LOGS: Final = (
    Rule(groups=("",), resources=("pods",), verbs=READ),
    Rule(groups=("",), resources=("pods/log",), verbs=("get",)),
)
_DANGEROUS: Final = frozenset({"bind", "escalate"})
_ROLES: Final = ("Role", "ClusterRole")
_TESTS: Final = frozenset({"test", "test-success", "test-failure"})


class Grants:
    """Collects what must be allowed, and for people, where that is not certain."""

    def __init__(self, names: ResourceNames) -> None:
        self._names = names
        self._rules: dict[Rule, None] = {}
        self._notes: dict[str, None] = {}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """What must be allowed, in an order that does not depend on how it was found."""
        return tuple(sorted(self._rules, key=_order))

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know."""
        return tuple(self._notes)

    def note(self, *texts: str) -> None:
        """Tell people, once."""
        self._notes |= dict.fromkeys(texts)

    def allow(self, *rules: Rule) -> None:
        """Include rules as they are."""
        self._rules |= dict.fromkeys(rules)

    def need(self, what: Mentioned, verbs: tuple[str, ...] = DEPLOY) -> bool:
        """Allow verbs on a kind; false if it is not known in which group it is."""
        names = self._names.find(*what)
        for name in names:
            self.allow(Rule(groups=(name.group,), resources=(name.plural,), verbs=verbs))
            if name.is_guess:
                self.note(f"{what} is taken to be {name}: its definition is not in the chart")
        return bool(names)

    def deploy(self, objects: Iterable[Json]) -> None:
        """Allow to deploy objects and hooks, but for tests; and, for roles among them, what they allow."""
        wanted = [obj for obj in objects if not _is_test(obj)]
        roles = {(obj["kind"], _name(obj)) for obj in wanted if obj.get("kind") in _ROLES}
        for obj in wanted:
            self.need(kind_of(obj))
            if "helm.sh/hook-output-log-policy" in _annotations(obj):
                self.allow(*_LOGS)
            if obj.get("kind") in _ROLES:
                self._pass_on(obj)
            elif isinstance(obj.get("roleRef"), dict):
                self._bind(obj, roles)

    def _pass_on(self, role: Json) -> None:
        """Allow what a role allows: nobody may grant what they lack."""
        which = f"{role['kind']} {_name(role)}"
        if role.get("aggregationRule"):
            self.note(f"{which} collects other roles: allow the operator what those allow")
        for rule in role.get("rules") or ():
            verbs = frozenset(rule.get("verbs") or ())
            if verbs & _DANGEROUS:
                self.note(f"{which} allows to {' and '.join(sorted(verbs & _DANGEROUS))}: not passed on")
            self.allow(*_rules(rule, tuple(sorted(verbs - _DANGEROUS))))

    def _bind(self, binding: Json, roles: set[tuple[str, str]]) -> None:
        role = binding["roleRef"].get("kind", ""), binding["roleRef"].get("name", "")
        if role not in roles:
            said = f"{binding['kind']} {_name(binding)} binds {' '.join(role)}, which is not in the chart"
            self.note(f"{said}: allow the operator what that allows")


def kind_of(obj: Json) -> Mentioned:
    """The kind of an object, as templates mention it."""
    return Mentioned(str(obj.get("apiVersion") or ""), str(obj.get("kind") or ""))


def _rules(rule: Json, verbs: tuple[str, ...]) -> Iterator[Rule]:
    resources, urls = (tuple(rule.get(name) or ()) for name in ("resources", "nonResourceURLs"))
    if verbs and resources:
        groups, names = (tuple(rule.get(name) or ()) for name in ("apiGroups", "resourceNames"))
        yield Rule(groups=groups, resources=resources, verbs=verbs, names=names)
    if verbs and urls:
        yield Rule(urls=urls, verbs=verbs)


def _name(obj: Json) -> str:
    return str((obj.get("metadata") or {}).get("name") or "")


def _annotations(obj: Json) -> dict[str, Any]:
    return (obj.get("metadata") or {}).get("annotations") or {}


def _is_test(obj: Json) -> bool:
    """Whether it is a hook that only `helm test` runs, which is for people."""
    hooks = str(_annotations(obj).get("helm.sh/hook") or "").split(",")
    return {hook.strip() for hook in hooks} <= _TESTS


def _order(rule: Rule) -> tuple[Any, ...]:
    return rule.groups, rule.resources, rule.urls, rule.names, rule.verbs

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windlass.apiserver.exchange import User
    from windlass.apiserver.store import Collection, Store

_GROUP: Final = "rbac.authorization.k8s.io"
_ACCOUNT_PREFIX: Final = "system:serviceaccount:"
MASTERS: Final = "system:masters"

Rule = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What somebody wants to do: a verb on a resource, or on a path that is none."""

    verb: str
    group: str = ""
    version: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    path: str = ""

    @property
    def target(self) -> str:
        """The resource as rules name it, with its subresource."""
        return f"{self.resource}/{self.subresource}" if self.subresource else self.resource


class Rbac:
    """Who may do what, by the roles and bindings that are stored."""

    def __init__(self, store: Store) -> None:
        self._roles = store.collection(f"{_GROUP}/roles")
        self._cluster_roles = store.collection(f"{_GROUP}/clusterroles")
        self._bindings = store.collection(f"{_GROUP}/rolebindings")
        self._cluster_bindings = store.collection(f"{_GROUP}/clusterrolebindings")

    def allows(self, user: User, attempt: Attempt) -> bool:
        """Whether some rule allows it."""
        if MASTERS in user.groups:
            return True
        return any(covers(rule, attempt) for rule in self.rules(user, attempt.namespace))

    def rules(self, user: User, namespace: str) -> Iterator[Rule]:
        """Every rule that is a user's in a namespace; without one, those that hold everywhere."""
        for binding in _objects(self._cluster_bindings):
            if _binds(binding, user, ""):
                yield from self._of_role(self._cluster_roles, binding["roleRef"]["name"])
        if not namespace:
            return
        for binding in _objects(self._bindings, f"{namespace}/"):
            if not _binds(binding, user, namespace):
                continue
            reference = binding["roleRef"]
            if reference["kind"] == "ClusterRole":
                yield from self._of_role(self._cluster_roles, reference["name"])
            else:
                yield from self._of_role(self._roles, f"{namespace}/{reference['name']}")

    @staticmethod
    def _of_role(roles: Collection, key: str) -> Iterable[Rule]:
        record = roles.get(key)
        rules: Iterable[Rule] = (record.object().get("rules") or ()) if record else ()
        return rules


def covers(rule: Rule, attempt: Attempt) -> bool:
    """Whether a rule allows an attempt."""
    if not _in(rule.get("verbs"), attempt.verb):
        return False
    if attempt.path:
        return any(_path_matches(pattern, attempt.path) for pattern in rule.get("nonResourceURLs") or ())
    names = rule.get("resourceNames")
    return (
        _in(rule.get("apiGroups"), attempt.group)
        and _covers_resource(rule.get("resources") or (), attempt)
        and (not names or attempt.name in names)
    )


def _covers_resource(resources: Iterable[str], attempt: Attempt) -> bool:
    for resource in resources:
        if resource in ("*", attempt.target):
            return True
        if attempt.subresource and resource == f"*/{attempt.subresource}":
            return True
    return False


def _in(values: Iterable[str] | None, value: str) -> bool:
    return values is not None and ("*" in values or value in values)


def _path_matches(pattern: str, path: str) -> bool:
    return pattern in ("*", path) or (pattern.endswith("*") and path.startswith(pattern.rstrip("*")))


def _binds(binding: dict[str, Any], user: User, namespace: str) -> bool:
    for subject in binding.get("subjects") or ():
        kind, name = subject.get("kind"), subject.get("name")
        if kind == "User" and name == user.name:
            return True
        if kind == "Group" and name in user.groups:
            return True
        if kind == "ServiceAccount":
            place = subject.get("namespace") or namespace
            if user.name == f"{_ACCOUNT_PREFIX}{place}:{name}":
                return True
    return False


def _objects(collection: Collection, prefix: str = "") -> Iterator[dict[str, Any]]:
    for record in collection.page(prefix).records:
        yield record.object()

"""Who is bound to which role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.apiserver.access.account import username
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.apiserver.exchange import User
    from windlass.apiserver.store import Collection

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RoleKey:
    """A role that a binding names; `namespace` is empty for cluster roles."""

    kind: str
    name: str
    namespace: str

    @classmethod
    def of(cls, reference: Mapping[str, str], namespace: str) -> RoleKey:
        """The role that a binding in a namespace refers to."""
        kind = reference["kind"]
        return cls(kind, reference["name"], namespace if kind == "Role" else "")


@dataclass(frozen=True, slots=True)
class Grant:
    """A role that somebody has: by which binding, and as which of its subjects."""

    position: tuple[int, int]
    role: RoleKey
    binding: str
    subject: Object
    namespace: str

    def __str__(self) -> str:
        kind, name = "ClusterRoleBinding", self.binding
        if self.namespace:
            kind, name = "RoleBinding", f"{name}/{self.namespace}"
        return f"{kind} {quoted(name)} of {self.role.kind} {quoted(self.role.name)} to {self._subject}"

    @property
    def _subject(self) -> str:
        kind, name = self.subject["kind"], self.subject["name"]
        if kind == "ServiceAccount":
            name = f"{name}/{self.subject.get('namespace') or self.namespace}"
        return f"{kind} {quoted(name)}"


class Bindings:
    """The bindings of one namespace, or those of the cluster, by whom they bind."""

    def __init__(self, bindings: Iterable[Object], namespace: str) -> None:
        self._users: dict[str, list[Grant]] = {}
        self._groups: dict[str, list[Grant]] = {}
        for order, binding in enumerate(bindings):
            role = RoleKey.of(binding["roleRef"], namespace)
            for place, subject in enumerate(binding.get("subjects") or ()):
                grant = Grant((order, place), role, binding["metadata"]["name"], subject, namespace)
                self._add(grant)

    @classmethod
    def load(cls, collection: Collection, namespace: str) -> Bindings:
        """Those in a collection; without a namespace, all of it."""
        records = collection.page(f"{namespace}/" if namespace else "").records
        return cls((record.object() for record in records), namespace)

    def of(self, user: User) -> list[Grant]:
        """What a user is granted, once for each binding, in the order of the bindings."""
        found = list(self._users.get(user.name, ()))
        for group in user.groups:
            found += self._groups.get(group, ())
        if len(found) > 1:
            found.sort(key=lambda grant: grant.position, reverse=True)
            found = list({grant.position[0]: grant for grant in found}.values())
            found.reverse()
        return found

    def _add(self, grant: Grant) -> None:
        kind, name = grant.subject["kind"], grant.subject["name"]
        if kind == "Group":
            self._groups.setdefault(name, []).append(grant)
        elif kind == "User":
            self._users.setdefault(name, []).append(grant)
        elif kind == "ServiceAccount":
            namespace = grant.subject.get("namespace") or grant.namespace
            if namespace:
                self._users.setdefault(username(namespace, name), []).append(grant)

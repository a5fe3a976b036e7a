from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.api import Kind
    from windlass.apiserver.store import Collection, Record
    from windlass.apiserver.traits import Traits
    from windlass.schema import Shape
    from windlass.schema.ownership import Rules

ALL_VERBS: Final = frozenset(
    {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
)


@dataclass(frozen=True, slots=True)
class Subresource:
    """A path below an object: its verbs, and the kind that is read and written there, if it is another."""

    name: str
    verbs: frozenset[str]
    kind: Kind


@dataclass(frozen=True, kw_only=True)
class Resource:
    """One resource in one version, as the server serves it.

    `shape` is its schema, `traits` what is particular to its kind, `collection` where its objects are kept.
    `custom` tells that it comes from a custom resource definition. `stored_as` is the apiVersion that its
    objects are stored in.
    """

    kind: Kind
    singular: str
    shape: Shape
    traits: Traits
    collection: Collection
    stored_as: str
    list_kind: str = ""
    verbs: frozenset[str] = ALL_VERBS
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subresources: Mapping[str, Subresource] = field(default_factory=dict)
    storage_hash: str = ""
    custom: bool = False
    warning: str = ""
    _rules: dict[str, Rules] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def header(self) -> bytes:
        """How the JSON of an object begins."""
        return b'{"kind":%b,"apiVersion":%b,' % (
            orjson.dumps(self.kind.name),
            orjson.dumps(self.kind.api_version),
        )

    @cached_property
    def list_header(self) -> bytes:
        """How the JSON of a list begins."""
        return b'{"kind":%b,"apiVersion":%b,"metadata":' % (
            orjson.dumps(self.list_kind or f"{self.kind.name}List"),
            orjson.dumps(self.kind.api_version),
        )

    def key(self, namespace: str, name: str) -> str:
        """Where an object is kept."""
        return f"{namespace}/{name}" if self.kind.namespaced else name

    def text(self, record: Record) -> bytes:
        """The JSON of an object in this version, as it is shown."""
        return self.header + self.shown(record)[1:]

    def shown(self, record: Record) -> bytes:
        """The same without kind and apiVersion."""
        return self.traits.shown(self.traits.body(self, record))

    def object(self, record: Record) -> dict[str, Any]:
        """An object in this version with all that is kept of it, new and the caller's own."""
        found: dict[str, Any] = orjson.loads(self.header + self.traits.body(self, record)[1:])
        return found

    def rules(self, subresource: str) -> Rules:
        """Who can own what by writes to the object, or to a part of it."""
        found = self._rules.get(subresource)
        if found is None:
            found = self._rules[subresource] = self.traits.rules(self, subresource)
        return found

    def not_found(self, name: str) -> Refusal:
        """404: there is no object of this name."""
        return Refusal.not_found(self.kind.group, self.kind.plural, name)

    def conflict(self, name: str, why: str) -> Refusal:
        """409: the object is not what the request took it for."""
        return Refusal.conflict(self.kind.group, self.kind.plural, name, why)


class Catalog:
    """Every resource that is served, by group, version and plural. `edition` grows with each change."""

    def __init__(self) -> None:
        self._resources: dict[tuple[str, str, str], Resource] = {}
        self.edition = 0

    def add(self, resource: Resource) -> None:
        """Serve a resource, in the place of the one that was served under its name."""
        self.add_all([resource])

    def add_all(self, resources: Iterable[Resource]) -> None:
        """Serve several resources at once."""
        for resource in resources:
            kind = resource.kind
            self._resources[kind.group, kind.version, kind.plural] = resource
        self.edition += 1

    def remove(self, group: str, version: str, plural: str) -> None:
        """Serve a resource no longer; removing what is not there does nothing."""
        self._resources.pop((group, version, plural), None)
        self.edition += 1

    def find(self, group: str, version: str, plural: str) -> Resource | None:
        """A resource by its name."""
        return self._resources.get((group, version, plural))

    def resources(self) -> Iterable[Resource]:
        """Everything, in the order in which it was added."""
        return self._resources.values()

    def serves_builtin(self, group: str, version: str | None = None) -> bool:
        """Whether a group, or a version of it, is one that every server has."""
        return any(
            not each.custom
            for each in self._resources.values()
            if each.kind.group == group and version in (None, each.kind.version)
        )

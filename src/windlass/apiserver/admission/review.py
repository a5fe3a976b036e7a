"""What admission looks at: an object on its way in, or out, and who sends it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.api import Kind
    from windlass.apiserver.exchange import Query, User
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]
Action = Literal["CREATE", "UPDATE", "DELETE", "CONNECT"]

_META: Final = "meta.k8s.io/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One write as admission sees it.

    `kind` is the one that `obj` and `old` are in, `version` that of the resource; those of the request itself
    are in the operation.
    """

    operation: Operation
    action: Action
    obj: Object | None
    old: Object | None
    kind: Kind
    version: str
    options: Object | None = None

    @classmethod
    def of(cls, operation: Operation, obj: Object, old: Object | None) -> Review:
        """What becomes of an object; without an old one it is created. A patch is an update."""
        kind, version = operation.resource.kind, operation.route.version
        action: Action = "CREATE" if old is None else "UPDATE"
        options = _options(operation.call.query, f"{action.capitalize()}Options")
        return cls(
            operation=operation, action=action, obj=obj, old=old, kind=kind, version=version, options=options
        )

    @classmethod
    def of_deletion(cls, operation: Operation, old: Object, given: Object) -> Review:
        """The deletion of an object with these options."""
        options = {**given, "kind": "DeleteOptions", "apiVersion": _META}
        kind, version = operation.resource.kind, operation.route.version
        return cls(
            operation=operation,
            action="DELETE",
            obj=None,
            old=old,
            kind=kind,
            version=version,
            options=options,
        )

    @classmethod
    def of_connection(cls, operation: Operation, obj: Object) -> Review:
        """A connection to an object."""
        kind, version = operation.resource.kind, operation.route.version
        return cls(operation=operation, action="CONNECT", obj=obj, old=None, kind=kind, version=version)

    @property
    def name(self) -> str:
        """The name of the object; empty while it has none, or is deleted as one of several."""
        if self.operation.route.name:
            return self.operation.route.name
        meta = (self.obj or {}).get("metadata") or {}
        return str(meta.get("name") or "")

    @property
    def namespace(self) -> str:
        """The namespace; a Namespace is in itself."""
        route = self.operation.route
        return self.name if (route.group, route.plural) == ("", "namespaces") else route.namespace

    @property
    def dry_run(self) -> bool:
        """Whether nothing is to come of it."""
        return bool((self.options or {}).get("dryRun"))

    @property
    def user(self) -> User:
        """Who asks."""
        return self.operation.call.user

    @property
    def resource(self) -> Resource:
        """What the object is one of, in the version in which it is seen."""
        return self._resource(self.version)

    def versions(self) -> tuple[str, ...]:
        """Every version in which the object, or the part of it, can be seen; its own first."""
        route, resource = self.operation.route, self.operation.resource
        same = (
            each.kind.version
            for each in self.operation.catalog.resources()
            if each.collection is resource.collection
            and (each.kind.group, each.kind.plural) == (route.group, route.plural)
            and (not route.subresource or route.subresource in each.subresources)
        )
        return tuple(dict.fromkeys((route.version, *same)))

    def seen_in(self, version: str) -> Review:
        """The same in another version.

        Raises:
            Refusal: 500, it cannot be converted.
        """
        if version == self.version:
            return self
        resource, other = self.resource, self._resource(version)
        if resource is other:
            return replace(self, version=version)
        if self.obj is not None and resource.custom:
            check_convertible(self.obj, other.kind)
        obj = None if self.obj is None else resource.traits.in_version(resource, self.obj, other)
        old = None if self.old is None else resource.traits.in_version(resource, self.old, other)
        return replace(self, kind=other.kind, version=version, obj=obj, old=old)

    def _resource(self, version: str) -> Resource:
        route = self.operation.route
        if version == route.version:
            return self.operation.resource
        found = self.operation.catalog.find(route.group, version, route.plural)
        assert found is not None  # noqa: S101 - it is one of `versions`
        own = self.operation.resource
        return found if found.kind.name == own.kind.name else own  # what stands for a part has one version


def check_convertible(obj: Object, kind: Kind) -> None:
    """Refuse an object that is to be seen as one of a kind, and does not say its own version.

    Raises:
        Refusal: 500.
    """
    if not obj.get("apiVersion"):
        raise Refusal.internal(f"Internal error occurred: {unsuitable('/', obj['kind'], kind)}")


def unsuitable(version: str, name: str, kind: Kind) -> str:
    """Why what says to be of a version, or group and version, cannot be seen as an object of a kind."""
    said = f"{version}, Kind={name}"
    return f'{said} is unstructured and is not suitable for converting to "{kind.api_version}"'


def _options(query: Query, kind: str) -> Object:
    """The options of a write as an object."""
    options: Object = {"kind": kind, "apiVersion": _META}
    if query.texts("dryRun"):
        options["dryRun"] = query.texts("dryRun")
    for name in ("fieldManager", "fieldValidation"):
        if query.text(name):
            options[name] = query.text(name)
    return options

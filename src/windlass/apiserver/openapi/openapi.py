"""The documents of all groups and versions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from windlass.apiserver.discovery import Described, Document
from windlass.apiserver.openapi.operation import Paths
from windlass.apiserver.openapi.schema import (
    META,
    custom_list_schema,
    custom_name,
    custom_schema,
    published,
    references,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windlass.schema import Library, Shape

Json = dict[str, Any]

_SERVED: Final = "x-kubernetes-group-version-kind"
_DELETE_OPTIONS: Final = f"{META}.DeleteOptions"
_VERSION: Final = "1.36"


class Published(Described, Protocol):
    """What OpenAPI wants to know of a resource in one version."""

    @property
    def shape(self) -> Shape:
        """The schema: a definition of the library for a built-in kind, one of its own for a custom kind."""

    @property
    def list_kind(self) -> str:
        """The kind of a list, if it is not the kind and `List`."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What outlives a change of what is served: documents with the resources they describe, and schemas."""

    documents: dict[str, tuple[list[Published], Document]] = field(default_factory=dict)
    schemas: dict[str, tuple[Json, tuple[str, ...]]] = field(default_factory=dict)


class OpenApi:
    """The documents about what is served; each is made when it is first asked for, and kept.

    When something else is served, a new one is made. Given the one `before` it, it makes only those documents
    anew whose resources are not the same.
    """

    def __init__(
        self, resources: Iterable[Published], library: Library, before: OpenApi | None = None
    ) -> None:
        self._library = library
        self._resources: dict[str, list[Published]] = {}
        for resource in resources:
            root = resource.kind.path().strip("/").rpartition("/")[0]
            self._resources.setdefault(root, []).append(resource)
        self.kept: Kept = before.kept if before else Kept()
        self._older: Document | None = None
        self._message: bytes | None = None

    def index(self) -> Json:
        """`/openapi/v3`: the address of each document, which changes with it."""
        return {
            "paths": {root: {"serverRelativeURL": self.address(root)} for root in sorted(self._resources)}
        }

    def address(self, root: str) -> str:
        """Where a document is that will never change."""
        document = self.document(root)
        return f"/openapi/v3/{root}?hash={document.hash if document else ''}"

    def document(self, root: str) -> Document | None:
        """The document of `api/v1` or `apis/GROUP/VERSION`; `None` where there is none."""
        resources = self._resources.get(root)
        if resources is None:
            return None
        known, document = self.kept.documents.get(root, (None, None))
        if document is None or known != resources:
            document = Document.of(self._describe(root))
            self.kept.documents[root] = (resources, document)
        return document

    def older(self) -> Document:
        """`/openapi/v2`: everything in one document."""
        if self._older is None:
            from windlass.apiserver.openapi.swagger import swagger  # few clients still ask for it

            self._older = Document.of(swagger(self._describe(root) for root in sorted(self._resources)))
        return self._older

    def older_message(self) -> bytes:
        """The same as a protobuf message."""
        if self._message is None:
            from windlass.apiserver.openapi.gnostic import write_document

            self._message = write_document(orjson.loads(self.older().body))
        return self._message

    def _describe(self, root: str) -> Json:
        paths: Json = {}
        schemas: Json = {}
        for resource in self._resources[root]:
            paths.update(self._paths(resource))
            if resource.custom:
                schemas.update(_custom(resource))
        kind = self._resources[root][0].kind
        if not self._resources[root][0].custom:
            paths.update([Paths(kind=kind, subject=kind, schema="").of_version()])
        wanted = {name for name in references([paths, schemas]) if name not in schemas}
        schemas.update(self._closure(wanted, kind.group, kind.version))
        return {
            "openapi": "3.0.0",
            "info": {"title": "Kubernetes", "version": _VERSION},
            "paths": dict(sorted(paths.items())),
            "components": {"schemas": dict(sorted(schemas.items()))},
        }

    def _paths(self, resource: Published) -> Iterator[tuple[str, Json]]:
        kind = resource.kind
        name = custom_name(kind) if resource.custom else resource.shape.name
        custom = resource.custom
        paths = Paths(kind=kind, subject=kind, schema=name, listed=_list_name(resource, name), custom=custom)
        yield from paths.of_resource(resource.verbs)
        for below in resource.subresources.values():
            own = below.kind.name == kind.name
            form = name if own else self._definition(below.kind.group, below.kind.version, below.kind.name)
            if form:
                subject = kind if custom else below.kind
                inner = Paths(kind=kind, subject=subject, schema=form, custom=custom)
                yield from inner.of_subresource(below.name, below.verbs)

    def _definition(self, group: str, version: str, kind: str) -> str:
        """The built-in definition of a kind; those that only connect have none."""
        wanted = {"group": group, "version": version, "kind": kind}
        for name in self._library.names():
            if name.endswith(f".{kind}") and wanted in self._library.shape(name).schema.get(_SERVED, ()):
                return name
        return ""

    def _closure(self, names: set[str], group: str, version: str) -> Json:
        """Built-in definitions with all that they refer to."""
        found: Json = {}
        waiting = sorted(names)
        while waiting:
            name = waiting.pop()
            if name in found or name not in self._library:
                continue
            found[name], inner = self._schema(name)
            waiting += inner
        if _DELETE_OPTIONS in found:  # every version has it as a kind of its own
            groups = [("", "v1"), (group, version)] if group else [("", "v1")]
            served = [{"group": name, "kind": "DeleteOptions", "version": each} for name, each in groups]
            found[_DELETE_OPTIONS] = {**found[_DELETE_OPTIONS], _SERVED: served}
        return found

    def _schema(self, name: str) -> tuple[Json, tuple[str, ...]]:
        """A built-in definition, and those that it refers to."""
        known = self.kept.schemas.get(name)
        if known is None:
            schema = published(self._library.shape(name).schema)
            known = self.kept.schemas[name] = (schema, tuple(set(references(schema))))
        return known


def _list_name(resource: Published, name: str) -> str:
    if resource.custom:
        return name.removesuffix(resource.kind.name) + _list_kind(resource)
    return f"{name}List"


def _list_kind(resource: Published) -> str:
    return resource.list_kind or f"{resource.kind.name}List"


def _custom(resource: Published) -> Iterator[tuple[str, Json]]:
    kind, list_kind = resource.kind, _list_kind(resource)
    name = custom_name(kind)
    yield name, custom_schema(kind, resource.shape.schema)
    yield _list_name(resource, name), custom_list_schema(kind, list_kind)

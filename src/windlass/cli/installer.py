"""Objects into a cluster and out of it, one line about each."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from windlass.client import DeleteOptions, find_kind
from windlass.errors import ConfigError, Invalid, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from windlass.api import Json, Untyped
    from windlass.client import Client

FIELD_MANAGER: Final = "windlass-install"
_CONFIG: Final = re.compile(r"^spec\.conversion\b|\bclientConfig\b")
"""The fields by which an object leads the API server to webhooks."""
_FOREGROUND: Final = DeleteOptions(propagation="Foreground")


class Installer:
    """Applies objects and deletes them, and says what became of each, as kubectl does.

    A namespace that was not made for the operator is left as it is. One that was goes with the operator,
    unless somebody else has moved in.
    """

    def __init__(self, client: Client, say: Callable[[str], None]) -> None:
        self._client = client
        self._say = say
        self._kinds: dict[tuple[str, str], type[Untyped]] = {}

    async def apply(self, documents: Iterable[Json]) -> None:
        """Make the objects be as these documents say, whoever had another opinion.

        Raises:
            ConfigError: the cluster does not know a kind.
        """
        for document in documents:
            try:
                kind = await self._kind(document)
            except NotFound as error:
                raise ConfigError(f"the cluster knows no {document['kind']}: {error}") from error
            before = await self._find(kind, document)
            if before is not None and document["kind"] == "Namespace" and not _has_labels(before, document):
                self._tell(kind, document, "unchanged")
                continue
            after = await self._applied(kind, document)
            if before is None:
                self._tell(kind, document, "created")
            else:
                same = before.metadata.resource_version == after.metadata.resource_version
                self._tell(kind, document, "unchanged" if same else "configured")

    async def _applied(self, kind: type[Untyped], document: Json) -> Untyped:
        """Apply a document; where another manager's `clientConfig` is in its way, in place of that."""
        wanted = kind.from_wire(document)
        try:
            return await self._client.apply(wanted, force=True)
        except Invalid as error:
            fields = [str(each.get("field")) for each in error.answer.causes]
            if not fields or not all(_CONFIG.search(each) for each in fields):
                raise
        from windlass.webhook import reclaim

        await reclaim(self._client, kind, document)
        return await self._client.apply(wanted, force=True)

    async def delete(self, documents: Iterable[Json], *, ignore_missing: bool = False) -> list[Json]:
        """Delete the objects in the reverse order; returns those that may take a while to go.

        Raises:
            NotFound: there is no such object, and that is not to be ignored.
        """
        deleted = []
        for document in reversed(list(documents)):
            try:
                kind = await self._kind(document)
                if await self._may_go(kind, document):
                    await self._client.delete(kind, *_place(document), options=_FOREGROUND)
                    deleted.append(document)
                    self._tell(kind, document, "deleted")
            except NotFound as error:
                if not ignore_missing:
                    raise _missing(document, error) from error
        return deleted

    async def find(self, document: Json) -> Untyped | None:
        """The object that a document is about, as the cluster has it."""
        return await self._find(await self._kind(document), document)

    async def _kind(self, document: Json) -> type[Untyped]:
        key = (document["apiVersion"], document["kind"])
        if key not in self._kinds:
            self._kinds[key] = await find_kind(self._client, *key)
        return self._kinds[key]

    async def _find(self, kind: type[Untyped], document: Json) -> Untyped | None:
        try:
            return await self._client.get(kind, *_place(document))
        except NotFound:
            return None

    async def _may_go(self, kind: type[Untyped], document: Json) -> bool:
        """Whether an object may be deleted: all but a namespace in which others live."""
        if document["kind"] != "Namespace":
            return True
        from windlass.kinds.apps.v1 import Deployment

        name = document["metadata"]["name"]
        if not _has_labels(await self._client.get(kind, name), document):
            self._tell(kind, document, "stays, it was not made for this operator")
            return False
        others = [
            each
            for each in await self._client.list(Deployment, name)
            if each.metadata.deletion_timestamp is None
        ]
        if others:
            self._tell(kind, document, f"stays, deployment {others[0].metadata.name} is in it too")
        return not others

    def _tell(self, kind: type[Untyped], document: Json, outcome: str) -> None:
        named = kind.__kind__
        group = f".{named.group}" if named.group else ""
        self._say(f"{named.name.lower()}{group}/{document['metadata']['name']} {outcome}")


def _missing(document: Json, error: NotFound) -> NotFound:
    """The error for people: the object, and the flag that goes on without it."""
    name, namespace = _place(document)
    place = f"{namespace}/{name}" if namespace else name
    said = f"{document['kind']} {place} not found; if it was removed before, add --ignore-not-found"
    return NotFound(replace(error.answer, request="", message=said))


def _place(document: Json) -> tuple[str, str]:
    """Name and namespace."""
    metadata = document["metadata"]
    return metadata["name"], metadata.get("namespace", "")


def _has_labels(found: Untyped, document: Json) -> bool:
    wanted: dict[str, str] = document["metadata"]["labels"]
    return wanted.items() <= found.metadata.labels.items()

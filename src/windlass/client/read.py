from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

from windlass._collector import collector_at_rest
from windlass.api import ObjectMeta, Resource
from windlass.client.options import ListOptions, WatchOptions
from windlass.client.parse import parsed, parsed_parts, unexpected
from windlass.client.refusal import refused
from windlass.client.result import Event, Listing
from windlass.client.transport import Request
from windlass.client.unpack import pieces

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from windlass.api import Json, Selector
    from windlass.client.session import Session

R = TypeVar("R", bound=Resource)

_ACCEPT = {"Accept": "application/json"}
_GRACE = timedelta(seconds=30)  # what a watch may take beyond its own time limit


def address(session: Session, kind: type[Resource], name: str, namespace: str, subresource: str = "") -> str:
    """The path of one object; a namespaced one without a namespace lies in the session's own.

    Raises:
        ValueError: there is no name, or one that would lead elsewhere.
    """
    known = kind.__kind__
    if not name:
        raise ValueError(f"a {known.name} needs a name")
    return known.path(_segment(name), _segment(namespace or own_namespace(session)), subresource)


def collection(kind: type[Resource], namespace: str) -> str:
    """The path of all objects of a kind, in a namespace or, without one, in all of them.

    Raises:
        ValueError: the namespace would lead elsewhere.
    """
    return kind.__kind__.path(namespace=_segment(namespace))


def own_namespace(session: Session) -> str:
    """Where objects lie that name no namespace."""
    return session.options.namespace or "default"


def _segment(name: str) -> str:
    """One segment of a path; a server takes an escaped slash for a slash, so a name must not have one."""
    if name in (".", "..") or "/" in name or "%" in name:
        raise ValueError(f"{name!r} is not a name: it would lead to another address")
    return quote(name, safe=":")


class ReadClient:
    """The reading half of a client."""

    _session: Session

    async def get(self, kind: type[R], name: str, namespace: str = "") -> R:
        """One object, in its newest state.

        Raises:
            NotFound: there is none of this name.
        """
        path = address(self._session, kind, name, namespace)
        return kind.from_wire(await self._session.object(Request(method="GET", path=path, headers=_ACCEPT)))

    async def list(
        self,
        kind: type[R],
        namespace: str = "",
        *,
        labels: str | Selector = "",
        fields: str = "",
        options: ListOptions | None = None,
    ) -> Listing[R]:
        """All objects of a kind, in one namespace or in all, that match the selectors.

        Raises:
            Gone: the version asked for, or the snapshot of the pages, is no longer kept.
        """
        items: list[R] = []
        version = shard = ""
        async for page in self.pages(kind, namespace, labels=labels, fields=fields, options=options):
            items.extend(page.items)
            version, shard = page.resource_version, page.shard
        return Listing(items, version, shard=shard)

    async def pages(
        self,
        kind: type[R],
        namespace: str = "",
        *,
        labels: str | Selector = "",
        fields: str = "",
        options: ListOptions | None = None,
    ) -> AsyncGenerator[Listing[R], None]:
        """As `list`, page by page; one page holds everything unless the options give a `page_size`."""
        options = options or ListOptions()
        more = ""
        while True:
            query = selectors(labels, fields) + _page_query(options, more)
            page = await self._page(kind, namespace, query, managed_fields=options.managed_fields)
            yield page
            more = page.more
            if not more:
                return

    async def _page(
        self, kind: type[R], namespace: str, query: tuple[tuple[str, str], ...], *, managed_fields: bool
    ) -> Listing[R]:
        request = Request(
            method="GET", path=collection(kind, namespace), query=query, headers=_ACCEPT, packed=True
        )
        response = await self._session.send(request)
        return _listing(kind, request, pieces(request, response), managed_fields=managed_fields)

    async def watch(
        self,
        kind: type[R],
        namespace: str = "",
        *,
        labels: str | Selector = "",
        fields: str = "",
        options: WatchOptions | None = None,
    ) -> AsyncGenerator[Event[R], None]:
        """Each change as it happens, until the server ends the watch or the time is up.

        Who leaves the loop early closes the connection with `contextlib.aclosing`.

        Raises:
            Gone: the version to start from is no longer kept; list again.
            ConnectionFailedError: the stream was cut; go on from the last version that was seen.
        """
        options = options or WatchOptions()
        request = Request(
            method="GET",
            path=collection(kind, namespace),
            query=(("watch", "true"), *selectors(labels, fields), *_watch_query(options)),
            headers=_ACCEPT,
            timeout=options.timeout + _GRACE if options.timeout else None,
        )
        async with self._session.stream(request) as stream:
            async for line in stream.lines():
                if line:
                    yield _event(kind, request, line, managed_fields=options.managed_fields)


def _listing(kind: type[R], request: Request, texts: Iterator[bytes], *, managed_fields: bool) -> Listing[R]:
    """The objects of an answer."""
    items: list[R] = []
    metadata: Json = {}
    with collector_at_rest():
        for part in parsed_parts(request, texts):
            raw = part.get("items") or []
            if not managed_fields:
                for item in raw:
                    if metadata_of := item.get("metadata"):
                        metadata_of.pop("managedFields", None)
            items += kind.from_wire_list(raw)
            metadata |= part.get("metadata") or {}
    return Listing(
        items,
        metadata.get("resourceVersion") or "",
        metadata.get("continue") or "",
        metadata.get("remainingItemCount"),
        (metadata.get("shardInfo") or {}).get("selector", ""),
    )


def _event(kind: type[R], request: Request, line: bytes, *, managed_fields: bool) -> Event[R]:
    said = parsed(request, line)
    event, obj = (said.get("type"), said.get("object")) if isinstance(said, dict) else (None, None)
    if not event or not isinstance(obj, dict):
        raise unexpected(request, "no event", line)
    if event == "ERROR":
        raise refused(request, obj)
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict):
        raise unexpected(request, "no event", line)
    if not managed_fields:
        metadata.pop("managedFields", None)
    if event == "BOOKMARK":  # it has nothing else, so it need not fit the type
        return Event("BOOKMARK", kind.model_construct(metadata=ObjectMeta.from_wire(metadata)))
    return Event(event, kind.from_wire(obj))


def selectors(labels: str | Selector, fields: str) -> tuple[tuple[str, str], ...]:
    """Selectors as query parameters."""
    given = (("labelSelector", str(labels)), ("fieldSelector", fields))
    return tuple((key, value) for key, value in given if value)


def _page_query(options: ListOptions, more: str) -> tuple[tuple[str, str], ...]:
    if more:  # the token holds the version; the server refuses both at once
        options = replace(options, resource_version=None, resource_version_match=None)
    given = (
        ("limit", str(options.page_size) if options.page_size else None),
        ("continue", more or None),
        ("resourceVersion", options.resource_version),
        ("resourceVersionMatch", options.resource_version_match),
        ("shardSelector", options.shard),
    )
    return tuple((key, value) for key, value in given if value is not None)


def _watch_query(options: WatchOptions) -> tuple[tuple[str, str], ...]:
    given = (
        ("resourceVersion", options.resource_version),
        ("allowWatchBookmarks", "true" if options.bookmarks or options.initial_events else None),
        ("sendInitialEvents", "true" if options.initial_events else None),
        ("resourceVersionMatch", "NotOlderThan" if options.initial_events else None),
        ("timeoutSeconds", str(ceil(options.timeout.total_seconds())) if options.timeout else None),
        ("shardSelector", options.shard),
    )
    return tuple((key, value) for key, value in given if value is not None)

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from windlass.client import Request
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from datetime import timedelta

    from windlass.api import Json, Kind, Selection
    from windlass.cache.form import Form
    from windlass.client import Client

INITIAL_EVENTS_END: Final = "k8s.io/initial-events-end"

Query = tuple[tuple[str, str], ...]


async def read_page(client: Client, request: Request) -> Json:
    """One page of a list, which has a version.

    Raises:
        ConnectionFailedError: the answer is no list, and must not pass for an empty one, or it has no version
            to go on from.
    """
    page: Any = await client.json(request)
    metadata = page.get("metadata") if isinstance(page, dict) and "items" in page else None
    if not isinstance(metadata, dict) or not metadata.get("resourceVersion"):
        raise ConnectionFailedError(
            f"{request}: the answer is no list with a version; is this an API server?", sent=True
        )
    found: Json = page
    return found


@dataclass(frozen=True, slots=True)
class Feed:
    """The requests by which the objects of one selection are read."""

    kind: Kind
    selection: Selection

    def stream(self, form: Form, timeout: timedelta) -> Request:
        """What there is, event by event, closed by a bookmark, and then every change."""
        initial = (("sendInitialEvents", "true"), ("resourceVersionMatch", "NotOlderThan"))
        return self._watch(form, initial, timeout)

    def follow(self, form: Form, version: str, timeout: timedelta) -> Request:
        """Every change after a version."""
        return self._watch(form, (("resourceVersion", version),), timeout)

    def page(self, form: Form, size: int | None, more: str = "") -> Request:
        """One page of the list, or all of it."""
        limit = (("limit", str(size)),) if size else ()
        token = (("continue", more),) if more else ()
        return self._read((*self._selectors(), *limit, *token), form.accept(listing=True))

    def _watch(self, form: Form, query: Query, timeout: timedelta) -> Request:
        return self._read(
            (
                ("watch", "true"),
                *self._selectors(),
                ("allowWatchBookmarks", "true"),
                *query,
                ("timeoutSeconds", str(ceil(timeout.total_seconds()))),
            ),
            form.accept(),
        )

    def _read(self, query: Query, accept: str) -> Request:
        path = self.kind.path(namespace=self.selection.namespace)
        return Request(method="GET", path=path, query=query, headers={"Accept": accept})

    def _selectors(self) -> Query:
        given = (("labelSelector", str(self.selection.labels)), ("fieldSelector", self.selection.fields))
        return tuple((name, value) for name, value in given if value)

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from windlass.client import Request

if TYPE_CHECKING:
    from windlass.api import Json, Key, Resource
    from windlass.client import Client, DeleteOptions, Patch

_ACCEPT = "application/json"
_APPLY = "application/apply-patch+yaml"
_MERGE = "application/merge-patch+json"


class Writer:
    """Writes objects as they stand on the wire: a reconcile compares them, and decodes few."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._query = client.options.write.query()
        self._timeout = client.options.timeout  # the client would say so too, with a copy of each request
        self.is_dry = client.options.write.dry_run

    def by(self, manager: str) -> Writer:
        """The same in the name of another field manager; without a name, of our own."""
        return Writer(self._client.using(field_manager=manager)) if manager else self

    async def apply(self, kind: type[Resource], key: Key, body: Json, *, force: bool) -> Json:
        """Server-side apply; returns the object as it is now."""
        query = (*self._query, ("force", "true")) if force else self._query
        return await self._patch(kind.__kind__.path(key.name, key.namespace), _APPLY, body, query)

    async def create(self, kind: type[Resource], namespace: str, body: Json) -> Json:
        """Create an object; returns it as it is now."""
        return await self._post(kind.__kind__.path("", namespace), body)

    async def post(self, kind: type[Resource], key: Key, action: str, form: Json) -> Json:
        """Post a form to a subresource; returns the answer."""
        return await self._post(kind.__kind__.path(key.name, key.namespace, action), form)

    async def merge(self, kind: type[Resource], key: Key, body: Json, subresource: str = "") -> Json:
        """A merge patch of an object or of its status."""
        path = kind.__kind__.path(key.name, key.namespace, subresource)
        return await self._patch(path, _MERGE, body, self._query)

    async def patch(self, kind: type[Resource], key: Key, patch: Patch, subresource: str = "") -> Json:
        """Any patch of an object."""
        path = kind.__kind__.path(key.name, key.namespace, subresource)
        return await self._patch(path, patch.content_type, patch.content, self._query)

    async def delete(self, kind: type[Resource], key: Key, options: DeleteOptions) -> Json | None:
        """Delete an object; returns what is left of it, or None.

        Raises:
            Conflict: it is not the one that the options' preconditions mean.
            NotFound: it is gone already.
        """
        body = options.body(dry_run=self.is_dry)
        request = Request(
            method="DELETE",
            path=kind.__kind__.path(key.name, key.namespace),
            headers={"Accept": _ACCEPT, "Content-Type": _ACCEPT},
            body=orjson.dumps(body),
        )
        said: Json = await self._client.json(request)
        metadata = said.get("metadata") or {}
        remains = metadata.get("finalizers") or metadata.get("deletionGracePeriodSeconds")
        return said if said.get("kind") != "Status" and remains else None

    async def _post(self, path: str, body: Json) -> Json:
        request = Request(
            method="POST",
            path=path,
            query=self._query,
            headers={"Accept": _ACCEPT, "Content-Type": _ACCEPT},
            body=orjson.dumps(body),
            timeout=self._timeout,
        )
        answer: Json = await self._client.json(request)
        return answer

    async def _patch(self, path: str, form: str, body: object, query: tuple[tuple[str, str], ...]) -> Json:
        request = Request(
            method="PATCH",
            path=path,
            query=query,
            headers={"Accept": _ACCEPT, "Content-Type": form},
            body=orjson.dumps(body),
            timeout=self._timeout,
        )
        answer: Json = await self._client.json(request)
        return answer

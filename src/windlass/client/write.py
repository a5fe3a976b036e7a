from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from windlass.api import Resource
from windlass.client.options import DeleteOptions
from windlass.client.read import address, collection, own_namespace, selectors
from windlass.client.transport import Request

if TYPE_CHECKING:
    from windlass.api import ObjectMeta, Selector
    from windlass.client.options import Patch
    from windlass.client.session import Session

R = TypeVar("R", bound=Resource)

_JSON = {"Accept": "application/json", "Content-Type": "application/json"}
_APPLY = {"Accept": "application/json", "Content-Type": "application/apply-patch+yaml"}


class WriteClient:
    """The writing half of a client. Each method returns the object as the server has it now."""

    _session: Session

    async def create(self, resource: R) -> R:
        """Create an object. It is never sent twice unless the first time surely did not arrive.

        Raises:
            AlreadyExists: there is one of this name.
            Invalid: it breaks its schema or a rule.
        """
        path = collection(type(resource), resource.metadata.namespace or own_namespace(self._session))
        return type(resource).from_wire(await send_body(self._session, "POST", path, resource.to_wire()))

    async def update(self, resource: R) -> R:
        """Replace an object by this one. With a resource version, only if it is still that version.

        Raises:
            Conflict: it changed since it was read.
        """
        said = await send_body(self._session, "PUT", self._path_of(resource), resource.to_wire())
        return type(resource).from_wire(said)

    async def patch(self, kind: type[R], name: str, patch: Patch, namespace: str = "") -> R:
        """Change some fields of an object; see `JsonPatch`, `MergePatch` and `StrategicPatch`."""
        path = address(self._session, kind, name, namespace)
        return kind.from_wire(await send_patch(self._session, path, patch))

    async def apply(self, resource: R, *, force: bool = False) -> R:
        """Make the server's object have these fields, and own them (server-side apply).

        Raises:
            Conflict: another manager owns one of them, and `force` is not set.
        """
        return await send_apply(self._session, resource, self._path_of(resource), force=force)

    async def delete(
        self, kind: type[R], name: str, namespace: str = "", *, options: DeleteOptions | None = None
    ) -> R | None:
        """Delete an object; what is returned is still there, waiting for its finalizers or its grace period.

        A dry run returns whatever the server shows.

        Raises:
            NotFound: there is none of this name.
            Conflict: it is not the one that the options' preconditions mean.
        """
        request = Request(
            method="DELETE",
            path=address(self._session, kind, name, namespace),
            headers=_JSON,
            body=self._delete_body(options),
        )
        said = await self._session.object(request)
        if said.get("kind") == "Status":
            return None
        shown = kind.from_wire(said)
        return shown if self._session.options.write.dry_run or _remains(shown.metadata) else None

    async def delete_collection(
        self,
        kind: type[Resource],
        namespace: str = "",
        *,
        labels: str | Selector = "",
        fields: str = "",
        options: DeleteOptions | None = None,
    ) -> None:
        """Delete the objects of a kind, in a namespace or cluster-wide, that match the selectors."""
        request = Request(
            method="DELETE",
            path=collection(kind, namespace or own_namespace(self._session)),
            query=selectors(labels, fields),
            headers=_JSON,
            body=self._delete_body(options),
        )
        await self._session.object(request)

    def _delete_body(self, options: DeleteOptions | None) -> bytes:
        return orjson.dumps((options or DeleteOptions()).body(dry_run=self._session.options.write.dry_run))

    def _path_of(self, resource: Resource) -> str:
        metadata = resource.metadata
        return address(self._session, type(resource), metadata.name, metadata.namespace)


def _remains(metadata: ObjectMeta) -> bool:
    """Whether a deleted object is still there; some kinds, such as services, are shown although they are not.

    Only a namespace waits without a finalizer of its metadata and without a grace period.
    """
    if metadata.deletion_timestamp is None:
        return False
    return bool(metadata.finalizers) or metadata.deletion_grace_period_seconds != 0


async def send_body(session: Session, method: str, path: str, body: dict[str, Any]) -> Any:
    """Send an object, and return the answer."""
    query = session.options.write.query()
    return await session.object(
        Request(method=method, path=path, query=query, headers=_JSON, body=orjson.dumps(body))
    )


async def send_patch(session: Session, path: str, patch: Patch) -> Any:
    """Send a patch to an object or a subresource, and return the answer."""
    request = Request(
        method="PATCH",
        path=path,
        query=session.options.write.query(),
        headers={"Accept": "application/json", "Content-Type": patch.content_type},
        body=orjson.dumps(patch.content),
    )
    return await session.object(request)


async def send_apply(session: Session, resource: R, path: str, *, force: bool) -> R:
    """Send an object as an apply; managed fields are the server's, and are left out."""
    body = resource.to_wire()
    body.get("metadata", {}).pop("managedFields", None)
    query = session.options.write.query() + ((("force", "true"),) if force else ())
    request = Request(method="PATCH", path=path, query=query, headers=_APPLY, body=orjson.dumps(body))
    return type(resource).from_wire(await session.object(request))

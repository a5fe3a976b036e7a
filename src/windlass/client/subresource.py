from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from windlass.api import Resource
from windlass.client.read import address
from windlass.client.transport import Request
from windlass.client.write import send_apply, send_body, send_patch

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from windlass.api import Json
    from windlass.client.options import Patch
    from windlass.client.session import Session
    from windlass.client.transport import Stream

R = TypeVar("R", bound=Resource)


class SubresourceClient:
    """Reads and writes one subresource whose form is the object itself, above all `status`."""

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self._name = name

    async def get(self, kind: type[R], name: str, namespace: str = "") -> R:
        """The object as the subresource shows it."""
        path = address(self._session, kind, name, namespace, self._name)
        return kind.from_wire(await self._session.object(Request(method="GET", path=path)))

    async def update(self, resource: R) -> R:
        """Replace the part of the object that the subresource covers.

        Raises:
            Conflict: the object changed since it was read.
        """
        said = await send_body(self._session, "PUT", self._path_of(resource), resource.to_wire())
        return type(resource).from_wire(said)

    async def patch(self, kind: type[R], name: str, patch: Patch, namespace: str = "") -> R:
        """Change some fields of the part that the subresource covers."""
        path = address(self._session, kind, name, namespace, self._name)
        return kind.from_wire(await send_patch(self._session, path, patch))

    async def apply(self, resource: R, *, force: bool = False) -> R:
        """Make the part that the subresource covers have these fields, and own them.

        Raises:
            Conflict: another manager owns one of them, and `force` is not set.
        """
        return await send_apply(self._session, resource, self._path_of(resource), force=force)

    async def read_form(self, kind: type[Resource], name: str, namespace: str) -> Any:
        """Read a subresource that has a form of its own, such as `scale`."""
        path = address(self._session, kind, name, namespace, self._name)
        return await self._session.object(Request(method="GET", path=path))

    async def patch_form(self, kind: type[Resource], name: str, namespace: str, patch: Patch) -> Any:
        """Patch a subresource that has a form of its own, such as `scale`."""
        return await send_patch(
            self._session, address(self._session, kind, name, namespace, self._name), patch
        )

    async def post_form(self, kind: type[Resource], name: str, namespace: str, form: Json) -> Any:
        """Post a form to a subresource that is an action, such as `eviction` or `token`."""
        path = address(self._session, kind, name, namespace, self._name)
        return await send_body(self._session, "POST", path, form)

    def stream(
        self, kind: type[Resource], name: str, namespace: str, query: tuple[tuple[str, str], ...] = ()
    ) -> AbstractAsyncContextManager[Stream]:
        """Read a subresource that arrives in lines, such as `log`; leaving the block ends it."""
        path = address(self._session, kind, name, namespace, self._name)
        return self._session.stream(Request(method="GET", path=path, query=query))

    def _path_of(self, resource: Resource) -> str:
        metadata = resource.metadata
        return address(self._session, type(resource), metadata.name, metadata.namespace, self._name)

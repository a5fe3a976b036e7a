"""What code that reads or writes objects asks for; a test passes something smaller than a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from windlass.api import Resource

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from windlass.api import Selector
    from windlass.client.options import DeleteOptions, ListOptions, Patch, WatchOptions
    from windlass.client.result import Event, Listing

R = TypeVar("R", bound=Resource)


class Reader(Protocol):
    """Reads objects."""

    async def get(self, kind: type[R], name: str, namespace: str = "") -> R:
        """One object.

        Raises:
            NotFound: there is none of this name.
        """

    async def list(
        self,
        kind: type[R],
        namespace: str = "",
        *,
        labels: str | Selector = "",
        fields: str = "",
        options: ListOptions | None = None,
    ) -> Listing[R]:
        """All objects of a kind, in one namespace or in all, that match the selectors."""

    def pages(
        self,
        kind: type[R],
        namespace: str = "",
        *,
        labels: str | Selector = "",
        fields: str = "",
        options: ListOptions | None = None,
    ) -> AsyncGenerator[Listing[R], None]:
        """Return what `list` returns, page by page, if the options have a `page_size`."""


class Watcher(Protocol):
    """Follows objects."""

    def watch(
        self,
        kind: type[R],
        namespace: str = "",
        *,
        labels: str | Selector = "",
        fields: str = "",
        options: WatchOptions | None = None,
    ) -> AsyncGenerator[Event[R], None]:
        """Each change as it happens, until the server ends the watch.

        Raises:
            Gone: the version to start from is no longer kept; list again.
        """


class Writer(Protocol):
    """Changes objects. Each method returns the object as the server has it now."""

    async def create(self, resource: R) -> R:
        """Create an object.

        Raises:
            AlreadyExists: there is one of this name.
            Invalid: it breaks its schema or a rule.
        """

    async def apply(self, resource: R, *, force: bool = False) -> R:
        """Make the server's object have these fields, and own them (server-side apply).

        Raises:
            Conflict: another manager owns one of them, and `force` is not set.
        """

    async def patch(self, kind: type[R], name: str, patch: Patch, namespace: str = "") -> R:
        """Change some fields of an object."""


class Updater(Protocol):
    """Replaces objects, or the part of them that a subresource covers: `client`, `client.status`."""

    async def update(self, resource: R) -> R:
        """Replace an object by this one.

        Raises:
            Conflict: it changed since it was read.
        """


class Deleter(Protocol):
    """Deletes objects."""

    async def delete(
        self, kind: type[R], name: str, namespace: str = "", *, options: DeleteOptions | None = None
    ) -> R | None:
        """Delete an object; what is returned is still there.

        Raises:
            NotFound: there is none of this name.
        """

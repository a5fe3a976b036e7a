from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.table import Layout

Object = dict[str, Any]


class Form:
    """How objects of a kind are read from requests, and shown."""

    @property
    def empty(self) -> Object:
        """What an object of the kind holds before anything is set."""
        return {}

    @property
    def blank(self) -> Object:
        """An object of which nothing is known but its kind."""
        return self.empty

    def decode(self, resource: Resource, body: bytes, call: Call, validation: str) -> Object:
        """A body as an object with its defaults, or refused.

        What `validation` says of unknown and duplicate fields is a refusal, a warning of the call or nothing.
        """
        raise NotImplementedError

    def patched(self, resource: Resource, outcome: Patched, call: Call, validation: str) -> Object:
        """The outcome of a patch as an object with its defaults, or refused; like `decode` of its text."""
        raise NotImplementedError

    def applied(self, resource: Resource, document: Object) -> Object:
        """What an apply leaves, as an object with its defaults; it takes the document over.

        Raises:
            DecodeError: it is no object of the kind.
        """
        raise NotImplementedError

    def finished(self, resource: Resource, obj: Object) -> Object:  # noqa: ARG002 - for kinds with defaults
        """An object with its defaults, and with everything that its kind always shows."""
        return obj

    def layout(self) -> Layout:
        """What stands in the columns of a table."""
        raise NotImplementedError

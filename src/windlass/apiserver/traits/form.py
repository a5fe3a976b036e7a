from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.store import Record
from windlass.schema import copied

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.table import Layout

Object = dict[str, Any]


class Form:
    """How objects of a kind are read from requests, stored, and shown."""

    @property
    def empty(self) -> Object:
        """What an object of the kind holds before anything is set."""
        return {}

    @property
    def blank(self) -> Object:
        """An object of which nothing is known but its kind."""
        return {"metadata": {}, **self.empty}

    def body(self, resource: Resource, record: Record) -> bytes:  # noqa: ARG002 - for kinds that convert
        """The stored JSON as the resource's version shows it, without kind and apiVersion."""
        return record.body

    def prepare_reading(self, resource: Resource, records: Iterable[Record]) -> None:
        """Make ready to show these records, where that takes asking somebody.

        Raises:
            Unanswered: somebody is to be asked first.
        """

    def to_storage(self, resource: Resource, obj: Object) -> Object:  # noqa: ARG002 - for kinds that convert
        """An object of the resource's version as it is stored."""
        return obj

    def decode(self, resource: Resource, body: bytes, call: Call, validation: str) -> Object:
        """A body as an object with its defaults, or refused.

        What `validation` says of unknown and duplicate fields is a refusal, a warning of the call or nothing.
        """
        raise NotImplementedError

    def patched(self, resource: Resource, outcome: Patched, call: Call, validation: str) -> Object:
        """The outcome of a patch as an object with its defaults, or refused; like `decode` of its text."""
        raise NotImplementedError

    def in_version(self, resource: Resource, obj: Object, other: Resource) -> Object:
        """An object as one of another resource, which keeps the same objects; a new one.

        Raises:
            Refusal: 500, it cannot be converted.
        """
        version = obj["metadata"].get("resourceVersion")
        shown = other.object(Record.of("", 0, self.to_storage(resource, copied(obj))))
        if version is None:
            del shown["metadata"]["resourceVersion"]
        else:
            shown["metadata"]["resourceVersion"] = version
        return shown

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
